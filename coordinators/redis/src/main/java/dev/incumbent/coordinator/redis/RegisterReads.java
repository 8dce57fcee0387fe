package dev.incumbent.coordinator.redis;

import dev.incumbent.time.Timeline;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Reads of registers. One that finds a ballot accepted by a majority needs no round: whatever was chosen before it began, a majority had accepted. Where none is,
 * somebody's round is under way or was cut short. A round of the reader's own would stop the former, so it waits and looks once more before it begins one.
 */
record RegisterReads(Masters masters, Keys keys, Timeline timeline, Backoff backoff) {
    /** What each of these holds; those that cannot be told in time are left out. {@code round} finishes what was cut short. */
    CompletableFuture<Map<String, Version>> read(
            List<String> registers, long deadlineNanos, Function<String, CompletableFuture<Registers.Outcome>> round) {
        long sentAt = timeline.nanos();
        return look(registers, deadlineNanos).thenCompose(agreed -> {
            if (agreed.size() == registers.size()) {
                return CompletableFuture.completedFuture(agreed);
            }
            return lookAgain(without(registers, agreed), sentAt, deadlineNanos).thenCompose(later -> {
                agreed.putAll(later);
                return finish(without(registers, agreed), agreed, round);
            });
        });
    }

    private static List<String> without(List<String> registers, Map<String, Version> agreed) {
        return registers.stream()
                .filter(register -> !agreed.containsKey(register))
                .toList();
    }

    /** Nothing where it fails: the rounds thereafter tell why. */
    private CompletableFuture<Map<String, Version>> lookAgain(List<String> registers, long sentAt, long deadlineNanos) {
        long now = timeline.nanos();
        CompletableFuture<Map<String, Version>> told = new CompletableFuture<>();
        timeline.at(now + backoff.afterRound(now - sentAt, 0, deadlineNanos - now), () -> {
            CompletableFuture<Map<String, Version>> unused = look(registers, deadlineNanos)
                    .exceptionally(failure -> Map.of())
                    .whenComplete((agreed, failure) -> Registers.settle(told, agreed, failure));
        });
        return told;
    }

    private CompletableFuture<Map<String, Version>> look(List<String> registers, long deadlineNanos) {
        List<String> all = new ArrayList<>(List.of(keys.nothing()));
        registers.forEach(register -> all.add(keys.register(register)));
        return masters.ask(
                Request.reading(Script.LOOK, all, List.of()),
                reply -> reply.items().stream().map(Version::of).toList(),
                deadlineNanos,
                said -> agreed(registers, said));
    }

    /** Those of which a majority of all masters accepted one ballot. A few that lag need not be waited for. */
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

    private static CompletableFuture<Map<String, Version>> finish(
            List<String> others,
            Map<String, Version> agreed,
            Function<String, CompletableFuture<Registers.Outcome>> round) {
        Map<String, CompletableFuture<Registers.Outcome>> rounds = new HashMap<>();
        others.forEach(register -> rounds.put(register, round.apply(register)));
        return CompletableFuture.allOf(rounds.values().toArray(new CompletableFuture<?>[0]))
                .handle((ended, failure) -> {
                    rounds.forEach((register, one) -> {
                        if (!one.isCompletedExceptionally()) {
                            agreed.put(register, one.join().current());
                        }
                    });
                    if (agreed.isEmpty() && failure != null) {
                        throw Chunks.known(failure);
                    }
                    return agreed;
                });
    }
}
