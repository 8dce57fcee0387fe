package dev.incumbent.internal;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Writes of one process to the coordinator, at its pace. Where some must wait, swaps go first: an election that is begun is won before others are begun. Owned
 * by the loop's thread.
 */
final class Writes {
    private static final int FEWEST = 100;
    private static final int MOST = 1_024;

    private final LeaseClock clock;
    private final Consumer<Runnable> loop;
    private final Pace pace;
    private final Deque<Runnable> swaps = new ArrayDeque<>();
    private final Deque<Runnable> others = new ArrayDeque<>();

    /** {@code loop} runs what it is given on the loop's thread, soon. */
    Writes(LeaseClock clock, long promptNanos, Consumer<Runnable> loop) {
        this.clock = clock;
        this.loop = loop;
        this.pace = new Pace(FEWEST, MOST, promptNanos);
    }

    <T> CompletionStage<T> swap(Supplier<CompletionStage<T>> call) {
        return inTurn(swaps, call);
    }

    <T> CompletionStage<T> other(Supplier<CompletionStage<T>> call) {
        return inTurn(others, call);
    }

    private <T> CompletionStage<T> inTurn(Deque<Runnable> line, Supplier<CompletionStage<T>> call) {
        CompletableFuture<T> ended = new CompletableFuture<>();
        line.add(() -> send(call, ended));
        sendWhatMay();
        return ended;
    }

    private void sendWhatMay() {
        while (pace.room() > 0 && !(swaps.isEmpty() && others.isEmpty())) {
            pace.asked(1);
            (swaps.isEmpty() ? others : swaps).remove().run();
        }
    }

    private <T> void send(Supplier<CompletionStage<T>> call, CompletableFuture<T> ended) {
        long sentAt = clock.nanos();
        Calls.of(call).whenComplete((value, failure) -> {
            if (failure == null) {
                ended.complete(value);
            } else {
                ended.completeExceptionally(failure);
            }
            loop.accept(() -> {
                pace.ended(1, sentAt, clock.nanos());
                sendWhatMay();
            });
        });
    }
}
