package dev.incumbent.coordinator.redis;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Registers that a majority of masters holds, changed by comparing nonces: CASPaxos (Rystsov, 2018), the masters its acceptors.
 *
 * <p>A change is a round of two steps: a majority promises a ballot and tells what it had accepted; a majority accepts the next value under that ballot. Also a
 * refusal and a read that finds no agreement finish a round, since what they tell might otherwise have been accepted by a few and be lost again. A read that finds
 * one ballot accepted by a majority needs no round: whatever was chosen before it began, a majority had accepted.
 */
final class Registers {
    private static final int SHORTEST_WAIT_MILLIS = 2;
    private static final int LONGEST_WAIT_MILLIS = 80;

    private final Masters masters;
    private final Keys keys;
    private final Timeline timeline;
    private final String proposer = UUID.randomUUID().toString();
    private final AtomicLong counter = new AtomicLong();

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

    private record Promise(boolean isGiven, Version accepted) {}

    /** Writes {@code body} with {@code nonce} where the register bears {@code expected}; where it bears {@code nonce} already, that was done. */
    CompletableFuture<Outcome> swap(String register, String expected, String nonce, String body, long deadlineNanos) {
        return round(new Change(register, expected, nonce, body, deadlineNanos), 0, false);
    }

    /** What each of these holds; those that cannot be told in time are left out. */
    CompletableFuture<Map<String, Version>> read(List<String> registers, long deadlineNanos) {
        List<String> all = new ArrayList<>(List.of(keys.nothing()));
        registers.forEach(register -> all.add(keys.register(register)));
        return masters.ask(
                        Request.reading(Script.LOOK, all, List.of()),
                        reply -> reply.items().stream().map(Version::of).toList(),
                        deadlineNanos,
                        said -> agreed(registers, said))
                .thenCompose(agreed -> finishTheOthers(registers, agreed, deadlineNanos));
    }

    /** Those of which a majority of all masters accepted one ballot. A few that lag need not be waited for: a round settles it. */
    private Optional<Map<String, Version>> agreed(List<String> registers, List<List<Version>> said) {
        Map<String, Version> agreed = new HashMap<>();
        for (int i = 0; i < registers.size(); i++) {
            int index = i;
            said.stream()
                    .map(one -> one.get(index))
                    .filter(one -> said.stream()
                                    .filter(it -> it.get(index).ballot().equals(one.ballot()))
                                    .count()
                            >= masters.majority())
                    .findFirst()
                    .ifPresent(one -> agreed.put(registers.get(index), one));
        }
        return Optional.of(agreed);
    }

    private CompletableFuture<Map<String, Version>> finishTheOthers(
            List<String> registers, Map<String, Version> agreed, long deadlineNanos) {
        Map<String, CompletableFuture<Outcome>> rounds = new HashMap<>();
        for (String register : registers) {
            if (!agreed.containsKey(register)) {
                rounds.put(register, round(new Change(register, "", "", "", deadlineNanos), 0, false));
            }
        }
        return CompletableFuture.allOf(rounds.values().toArray(new CompletableFuture<?>[0]))
                .handle((ended, failure) -> {
                    rounds.forEach((register, round) -> {
                        if (!round.isCompletedExceptionally()) {
                            agreed.put(register, round.join().current());
                        }
                    });
                    if (agreed.isEmpty() && failure != null) {
                        throw Chunks.known(failure);
                    }
                    return agreed;
                });
    }

    /** One round; {@code mayHaveApplied}: the new value was sent in an earlier one that did not end well. */
    private CompletableFuture<Outcome> round(Change change, int attempt, boolean mayHaveApplied) {
        Ballot ballot = new Ballot(counter.incrementAndGet(), proposer);
        return prepare(change, ballot)
                .handle((promise, failure) -> {
                    if (failure != null) {
                        throw uncertain(Chunks.known(failure), mayHaveApplied);
                    }
                    return promise;
                })
                .thenCompose(promise -> promise.isGiven()
                        ? accept(change, ballot, promise.accepted(), attempt, mayHaveApplied)
                        : again(change, attempt, mayHaveApplied));
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

    private CompletableFuture<Outcome> accept(
            Change change, Ballot ballot, Version found, int attempt, boolean mayHaveApplied) {
        boolean isMine = !change.isRead() && found.nonce().equals(change.nonce());
        boolean isChange = !change.isRead() && (isMine || found.nonce().equals(change.expected()));
        if (!isChange && found.isAbsent()) {
            return refused(change, found, mayHaveApplied);
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
        boolean sent = mayHaveApplied || isChange;
        return masters.ask(accept, this::accepted, change.deadlineNanos(), this::chosen, Registers::anyRefusal)
                .handle((promise, failure) -> {
                    if (failure != null) {
                        throw uncertain(Chunks.known(failure), sent);
                    }
                    return promise;
                })
                .thenCompose(promise -> {
                    if (!promise.isGiven()) {
                        return again(change, attempt, sent);
                    }
                    return isChange
                            ? CompletableFuture.completedFuture(new Outcome(true, next))
                            : refused(change, next, mayHaveApplied);
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
    private CompletableFuture<Outcome> again(Change change, int attempt, boolean mayHaveApplied) {
        int longest = Math.min(LONGEST_WAIT_MILLIS, SHORTEST_WAIT_MILLIS << Math.min(attempt, 6));
        Duration wait = Duration.ofMillis(ThreadLocalRandom.current().nextInt(1, longest + 1));
        long at = timeline.nanos() + wait.toNanos();
        if (at - change.deadlineNanos() >= 0) {
            return CompletableFuture.failedFuture(new CoordinatorException(
                    "others changed " + change.register() + " all the time, in " + (attempt + 1) + " rounds",
                    mayHaveApplied));
        }
        CompletableFuture<Outcome> later = new CompletableFuture<>();
        timeline.at(at, () -> {
            CompletableFuture<Outcome> unused = round(change, attempt + 1, mayHaveApplied)
                    .whenComplete((outcome, failure) -> {
                        if (failure == null) {
                            later.complete(outcome);
                        } else {
                            later.completeExceptionally(Chunks.known(failure));
                        }
                    });
        });
        return later;
    }

    private static CoordinatorException uncertain(CoordinatorException failure, boolean mayHaveApplied) {
        return failure.mayHaveApplied() == mayHaveApplied
                ? failure
                : new CoordinatorException(String.valueOf(failure.getMessage()), mayHaveApplied, failure);
    }
}
