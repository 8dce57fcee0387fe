package dev.incumbent.micrometer;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/** A timer for each operation and each way in which it may end. Thread-safe. */
final class CallMeters {
    private final Clock clock;
    private final Map<Operation, Map<Outcome, Timer>> timers;

    private CallMeters(Clock clock, Map<Operation, Map<Outcome, Timer>> timers) {
        this.clock = clock;
        this.timers = timers;
    }

    static CallMeters in(MeterRegistry registry, Iterable<Tag> tags) {
        Map<Operation, Map<Outcome, Timer>> timers = new EnumMap<>(Operation.class);
        for (Operation operation : Operation.values()) {
            Map<Outcome, Timer> ends = new EnumMap<>(Outcome.class);
            for (Outcome outcome : Outcome.values()) {
                if (operation.mayEnd(outcome)) {
                    ends.put(outcome, timer(operation, outcome, tags).register(registry));
                }
            }
            timers.put(operation, ends);
        }
        return new CallMeters(registry.config().clock(), timers);
    }

    private static Timer.Builder timer(Operation operation, Outcome outcome, Iterable<Tag> tags) {
        return Timer.builder("incumbent.coordinator.calls")
                .description("How long calls to the coordinator took, by operation and by how they ended")
                .tag("operation", operation.tag())
                .tag("outcome", outcome.tag())
                .tags(tags);
    }

    /** Makes a call, and records it once its stage completes. What the call throws is recorded, too. */
    <T> CompletionStage<T> timed(Operation operation, Supplier<CompletionStage<T>> call, Function<T, Outcome> outcome) {
        long sentAt = clock.monotonicTime();
        try {
            CompletionStage<T> stage = call.get();
            stage.whenComplete((answer, failure) ->
                    record(operation, failure == null ? outcome.apply(answer) : Outcome.of(failure), sentAt));
            return stage;
        } catch (RuntimeException thrown) {
            record(operation, Outcome.of(thrown), sentAt);
            throw thrown;
        }
    }

    private void record(Operation operation, Outcome outcome, long sentAt) {
        Map<Outcome, Timer> ends = Objects.requireNonNull(timers.get(operation));
        Outcome told = operation.mayEnd(outcome) ? outcome : Outcome.FAILED;
        Objects.requireNonNull(ends.get(told)).record(clock.monotonicTime() - sentAt, TimeUnit.NANOSECONDS);
    }
}
