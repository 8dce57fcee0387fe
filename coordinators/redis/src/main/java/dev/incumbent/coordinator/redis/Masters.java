package dev.incumbent.coordinator.redis;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.redis.ServerAddress;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Several servers that know nothing of each other, each behind a lane, all asked at once. What a majority says counts, and is told as soon as one has said it; a
 * server that is down or slow holds up nobody.
 */
final class Masters implements AutoCloseable {
    private static final int PATIENCE_PART = 3;

    private final Role role;
    private final List<ServerLane> lanes;
    private final Timeline timeline;

    Masters(String name, List<ServerAddress> servers, Timeline timeline, Duration requestTimeout) {
        this(name, servers, Role.MASTER, timeline, requestTimeout);
    }

    /** The same of servers that are something else. */
    Masters(String name, List<ServerAddress> servers, Role role, Timeline timeline, Duration requestTimeout) {
        this.role = role;
        this.timeline = timeline;
        lanes = servers.stream()
                .map(at -> new ServerLane(name + "-" + at.port(), Place.fixed(at, role), timeline, requestTimeout))
                .toList();
    }

    int majority() {
        return lanes.size() / 2 + 1;
    }

    int count() {
        return lanes.size();
    }

    /** Decides on what some of the masters have said, in any order; empty waits for more of them. */
    interface Decision<T, R> {
        Optional<R> on(List<T> said);
    }

    /**
     * Asks all of them.
     *
     * @param decision is asked after each answer; where none comes of all answers, the stage fails with {@code undecided} and what the first failure was
     */
    <T, R> CompletableFuture<R> ask(
            Request request, Function<Reply, T> meaning, long deadlineNanos, Decision<T, R> decision) {
        return ask(request, meaning, deadlineNanos, decision, said -> Optional.empty());
    }

    /**
     * Asks all of them.
     *
     * @param decision is asked after each answer
     * @param last is asked where that has decided nothing, a majority has answered, and nobody else will
     */
    <T, R> CompletableFuture<R> ask(
            Request request,
            Function<Reply, T> meaning,
            long deadlineNanos,
            Decision<T, R> decision,
            Decision<T, R> last) {
        return gather(request, meaning, deadlineNanos, decision, last).result;
    }

    /** The same. A master that has said nothing after a third of the time is waited for no longer, where the others' word is enough for {@code last}. */
    <T, R> CompletableFuture<R> askPatiently(
            Request request,
            Function<Reply, T> meaning,
            long deadlineNanos,
            Decision<T, R> decision,
            Decision<T, R> last) {
        long now = timeline.nanos();
        Gathering<T, R> gathering = gather(request, meaning, deadlineNanos, decision, last);
        if (!gathering.result.isDone()) {
            Timeline.Alarm alarm = timeline.at(now + (deadlineNanos - now) / PATIENCE_PART, gathering::hearNoMore);
            CompletableFuture<R> unused = gathering.result.whenComplete((result, failure) -> alarm.cancel());
        }
        return gathering.result;
    }

    private <T, R> Gathering<T, R> gather(
            Request request,
            Function<Reply, T> meaning,
            long deadlineNanos,
            Decision<T, R> decision,
            Decision<T, R> last) {
        Gathering<T, R> gathering = new Gathering<>(decision, last, request.writes());
        for (ServerLane lane : lanes) {
            CompletableFuture<T> unused =
                    lane.submit(request, meaning, deadlineNanos).whenComplete(gathering::hear);
        }
        return gathering;
    }

    /** The answers to one question as they come. */
    private final class Gathering<T, R> {
        private final Decision<T, R> decision;
        private final Decision<T, R> last;
        private final boolean writes;
        private final CompletableFuture<R> result = new CompletableFuture<>();
        private final List<T> said = new ArrayList<>();
        private final List<CoordinatorException> failures = new ArrayList<>();
        private boolean isLate;

        private Gathering(Decision<T, R> decision, Decision<T, R> last, boolean writes) {
            this.decision = decision;
            this.last = last;
            this.writes = writes;
        }

        private void hear(T answer, Throwable failure) {
            Optional<Runnable> outcome;
            synchronized (this) {
                if (failure == null) {
                    said.add(answer);
                } else {
                    failures.add(Chunks.known(failure));
                }
                outcome = outcome();
            }
            outcome.ifPresent(Runnable::run);
        }

        /** Whoever has not answered yet is not waited for, unless a majority has not. */
        private void hearNoMore() {
            Optional<Runnable> outcome;
            synchronized (this) {
                isLate = true;
                outcome = outcome();
            }
            outcome.ifPresent(Runnable::run);
        }

        private Optional<Runnable> outcome() {
            Optional<CoordinatorException> twins = oneServerTwice();
            if (twins.isPresent()) {
                return Optional.of(() -> result.completeExceptionally(twins.get()));
            }
            boolean isAll = said.size() + failures.size() == lanes.size();
            Optional<R> decided = said.size() < majority() ? Optional.empty() : decided(isAll || isLate);
            if (decided.isPresent()) {
                return Optional.of(() -> result.complete(decided.get()));
            }
            if (!isAll) {
                return Optional.empty();
            }
            CoordinatorException why = undecided();
            return Optional.of(() -> result.completeExceptionally(why));
        }

        private Optional<R> decided(boolean isLast) {
            Optional<R> decided = decision.on(List.copyOf(said));
            return decided.isEmpty() && isLast ? last.on(List.copyOf(said)) : decided;
        }

        private CoordinatorException undecided() {
            boolean mayHaveApplied =
                    writes && (!said.isEmpty() || failures.stream().anyMatch(CoordinatorException::mayHaveApplied));
            String first = failures.isEmpty()
                    ? "they disagree"
                    : String.valueOf(failures.get(0).getMessage());
            String what = said.size() + " of " + lanes.size() + " " + role.several() + " answered, " + majority()
                    + " must agree: " + first;
            return failures.stream()
                                    .filter(CoordinatorUnusableException.class::isInstance)
                                    .count()
                            >= majority()
                    ? new CoordinatorUnusableException(what)
                    : new CoordinatorException(what, mayHaveApplied);
        }
    }

    /** Two addresses of one server would be a majority of nothing. */
    private Optional<CoordinatorException> oneServerTwice() {
        Set<String> lives = new HashSet<>();
        for (ServerLane lane : lanes) {
            if (!lane.life().isEmpty() && !lives.add(lane.life())) {
                return Optional.of(new CoordinatorUnusableException("two of the " + role.several()
                        + " are one server (run id " + lane.life() + "): " + role.distinct()));
            }
        }
        return Optional.empty();
    }

    @Override
    public void close() {
        lanes.forEach(ServerLane::close);
    }
}
