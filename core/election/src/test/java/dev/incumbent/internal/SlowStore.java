package dev.incumbent.internal;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.time.VirtualTimeline;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Serves one thing after another, each for a while; whoever waits in line for longer than the request timeout is told nothing, and served all the same. */
final class SlowStore {
    static final Duration TIMEOUT = Duration.ofMillis(400);
    static final long PROMPT_NANOS = TIMEOUT.dividedBy(4).toNanos();

    final VirtualTimeline timeline = new VirtualTimeline();
    private final long eachNanos;
    private long freeAtNanos;
    private int timedOut;
    private int served;

    SlowStore(Duration each) {
        this.eachNanos = each.toNanos();
        this.freeAtNanos = timeline.nanos();
    }

    <T> CompletionStage<T> serve(int things, Supplier<T> answer) {
        CompletableFuture<T> told = new CompletableFuture<>();
        freeAtNanos = Math.max(freeAtNanos, timeline.nanos()) + things * eachNanos;
        timeline.at(freeAtNanos, () -> {
            served += things;
            told.complete(answer.get());
        });
        timeline.at(timeline.nanos() + TIMEOUT.toNanos(), () -> {
            boolean late = told.completeExceptionally(new CoordinatorException("no answer in time", true));
            timedOut += late ? things : 0;
        });
        return told;
    }

    /** By steps, as long as anything may happen, at most that long. */
    void pass(Duration time) {
        for (Duration step = Duration.ofMillis(1); time.compareTo(Duration.ZERO) > 0; time = time.minus(step)) {
            timeline.advance(step);
        }
    }

    int timedOut() {
        return timedOut;
    }

    int served() {
        return served;
    }
}
