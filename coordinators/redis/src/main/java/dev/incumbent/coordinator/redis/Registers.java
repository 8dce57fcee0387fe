package dev.incumbent.coordinator.redis;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.time.Timeline;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Registers that a majority of masters holds, changed by comparing nonces: CASPaxos (Rystsov, 2018), the masters its acceptors.
 *
 * <p>A change is a round of two steps: a majority promises a ballot and tells what it had accepted; a majority accepts the next value under that ballot. Also a
 * refusal and a read that finds no agreement finish a round, since what they tell might otherwise have been accepted by a few and be lost again.
 */
final class Registers {
    private final Masters masters;
    private final Keys keys;
    private final Timeline timeline;
    private final String proposer = UUID.randomUUID().toString();
    private final AtomicLong counter = new AtomicLong();
    private final Backoff backoff =
            new Backoff(() -> ThreadLocalRandom.current().nextDouble());

    Registers(Masters masters, Keys keys, Timeline timeline) {
        this.masters = masters;
        this.keys = keys;
        this.timeline = timeline;
    }

    /** How a change ended: {@code current} is what the register holds now, or did just after. */
    record Outcome(boolean isChanged, Version current) {}

    /** One change under way. */
    private record Change(String register, String expected, String nonce, String body, long deadlineNanos) {
        boolean isRead() {
            return nonce.isEmpty();
        }
    }

    /** One round of a change; {@code mayHaveApplied}: the new value was sent in an earlier one that did not end well. */
    private record Try(int attempt, boolean mayHaveApplied, long begunAtNanos) {}

    private record Promise(boolean isGiven, Version accepted) {}

    /** Writes {@code body} with {@code nonce} where the register bears {@code expected}; where it bears {@code nonce} already, that was done. */
    CompletableFuture<Outcome> swap(String register, String expected, String nonce, String body, long deadlineNanos) {
        return begin(new Change(register, expected, nonce, body, deadlineNanos));
    }

    /** What each of these holds; those that cannot be told in time are left out. */
    CompletableFuture<Map<String, Version>> read(List<String> registers, long deadlineNanos) {
        return new RegisterReads(masters, keys, timeline, backoff)
                .read(registers, deadlineNanos, register -> begin(new Change(register, "", "", "", deadlineNanos)));
    }

    private CompletableFuture<Outcome> begin(Change change) {
        return round(change, new Try(0, false, timeline.nanos()));
    }

    private CompletableFuture<Outcome> round(Change change, Try one) {
        Ballot ballot = new Ballot(counter.incrementAndGet(), proposer);
        return prepare(change, ballot)
                .handle((promise, failure) -> {
                    if (failure != null) {
                        throw uncertain(Chunks.known(failure), one.mayHaveApplied());
                    }
                    return promise;
                })
                .thenCompose(promise -> promise.isGiven()
                        ? accept(change, ballot, promise.accepted(), one)
                        : again(change, one, one.mayHaveApplied()));
    }

    private CompletableFuture<Promise> prepare(Change change, Ballot ballot) {
        Request prepare = Request.writing(
                Script.PREPARE,
                List.of(keys.register(change.register())),
                List.of(Long.toString(ballot.counter()), ballot.proposer()));
        return masters.ask(
                prepare,
                this::promise,
                change.deadlineNanos(),
                said -> {
                    List<Promise> given = said.stream().filter(Promise::isGiven).toList();
                    if (given.size() >= masters.majority()) {
                        return given.stream()
                                .max(Comparator.comparing(
                                        (Promise one) -> one.accepted().ballot()));
                    }
                    return refusedFor(said);
                },
                Registers::anyRefusal);
    }

    private Promise promise(Reply reply) {
        return reply.item(0).isYes() ? new Promise(true, Version.of(reply.item(1))) : refusal(reply);
    }

    /** Whatever comes of this round, the next one goes beyond it. */
    private Promise refusal(Reply reply) {
        counter.accumulateAndGet(reply.item(1).number(), Math::max);
        return new Promise(false, Version.NONE);
    }

    /** One that is down must not turn an ordinary conflict among the others into a failure. */
    private static Optional<Promise> anyRefusal(List<Promise> said) {
        return said.stream().filter(one -> !one.isGiven()).findFirst();
    }

    /** So many refused that no majority is left. */
    private Optional<Promise> refusedFor(List<Promise> said) {
        List<Promise> refused = said.stream().filter(one -> !one.isGiven()).toList();
        return refused.size() > masters.count() - masters.majority()
                ? refused.stream().findFirst()
                : Optional.empty();
    }

    private CompletableFuture<Outcome> accept(Change change, Ballot ballot, Version found, Try one) {
        boolean isMine = !change.isRead() && found.nonce().equals(change.nonce());
        boolean isChange = !change.isRead() && (isMine || found.nonce().equals(change.expected()));
        if (!isChange && found.isAbsent()) {
            return refused(change, found, one.mayHaveApplied());
        }
        Version next = isChange && !isMine ? found.then(ballot, change.nonce(), change.body()) : found.at(ballot);
        Request accept = Request.writing(
                Script.ACCEPT,
                List.of(keys.register(change.register()), keys.registers()),
                List.of(
                        Long.toString(ballot.counter()),
                        ballot.proposer(),
                        next.nonce(),
                        next.body(),
                        next.past(),
                        change.register()));
        boolean sent = one.mayHaveApplied() || isChange;
        return masters.ask(accept, this::accepted, change.deadlineNanos(), this::chosen, Registers::anyRefusal)
                .handle((promise, failure) -> {
                    if (failure != null) {
                        throw uncertain(Chunks.known(failure), sent);
                    }
                    return promise;
                })
                .thenCompose(promise -> {
                    if (!promise.isGiven()) {
                        return again(change, one, sent);
                    }
                    return isChange
                            ? CompletableFuture.completedFuture(new Outcome(true, next))
                            : refused(change, next, one.mayHaveApplied());
                });
    }

    private Promise accepted(Reply reply) {
        return reply.item(0).isYes() ? new Promise(true, Version.NONE) : refusal(reply);
    }

    private Optional<Promise> chosen(List<Promise> said) {
        List<Promise> given = said.stream().filter(Promise::isGiven).toList();
        return given.size() >= masters.majority() ? given.stream().findFirst() : refusedFor(said);
    }

    /**
     * Another's change came first. An earlier round of this one may have been chosen even so, and followed by that other: what was chosen tells, since it remembers
     * what it was made from.
     */
    private static CompletableFuture<Outcome> refused(Change change, Version current, boolean mayHaveApplied) {
        if (mayHaveApplied && current.follows(change.nonce())) {
            return CompletableFuture.completedFuture(new Outcome(true, current));
        }
        return !mayHaveApplied || current.follows(change.expected())
                ? CompletableFuture.completedFuture(new Outcome(false, current))
                : CompletableFuture.failedFuture(new CoordinatorException(
                        "the change of " + change.register() + " was followed by so many that nobody knows of it",
                        true));
    }

    /** After a wait that differs from proposer to proposer, so that one of them gets through. */
    private CompletableFuture<Outcome> again(Change change, Try one, boolean mayHaveApplied) {
        long now = timeline.nanos();
        long round = now - one.begunAtNanos();
        long left = change.deadlineNanos() - now;
        if (left <= round) {
            return CompletableFuture.failedFuture(new CoordinatorException(
                    "others changed " + change.register() + " all the time, in " + (one.attempt() + 1) + " rounds",
                    mayHaveApplied));
        }
        CompletableFuture<Outcome> later = new CompletableFuture<>();
        timeline.at(now + backoff.afterRound(round, one.attempt(), left), () -> {
            CompletableFuture<Outcome> unused = round(
                            change, new Try(one.attempt() + 1, mayHaveApplied, timeline.nanos()))
                    .whenComplete((outcome, failure) -> settle(later, outcome, failure));
        });
        return later;
    }

    static <T> void settle(CompletableFuture<T> later, T value, @Nullable Throwable failure) {
        if (failure == null) {
            later.complete(value);
        } else {
            later.completeExceptionally(Chunks.known(failure));
        }
    }

    private static CoordinatorException uncertain(CoordinatorException failure, boolean mayHaveApplied) {
        return failure.mayHaveApplied() == mayHaveApplied
                ? failure
                : new CoordinatorException(String.valueOf(failure.getMessage()), mayHaveApplied, failure);
    }
}
