package dev.incumbent.coordinator.dynamodb;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.time.Timeline;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One call of the SPI on its way: the requests that it takes, one after another on a lane's thread, within one bound. Its reply is completed once, by its work or
 * at the bound, and says whether a write may have applied. Thread-safe.
 */
final class Call<T> implements Runnable {
    private final Work<T> work;
    private final Timeline timeline;
    private final long boundNanos;
    private final CompletableFuture<T> reply = new CompletableFuture<>();

    /** Writes that were sent, and of which nobody said that they have not applied. */
    private final AtomicInteger writes = new AtomicInteger();

    Call(Work<T> work, Timeline timeline, long boundNanos) {
        this.work = work;
        this.timeline = timeline;
        this.boundNanos = boundNanos;
    }

    /** The requests of a call, which may block. */
    interface Work<T> {
        T in(Call<?> call);
    }

    @Override
    public void run() {
        if (isOver()) {
            return;
        }
        try {
            reply.complete(work.in(this));
        } catch (CoordinatorException told) {
            reply.completeExceptionally(told);
        } catch (RuntimeException unexpected) {
            reply.completeExceptionally(new CoordinatorException(
                    "what DynamoDB answered is not understood: " + unexpected, mayHaveApplied(), unexpected));
        }
    }

    CompletionStage<T> reply() {
        return reply;
    }

    long leftNanos() {
        return boundNanos - timeline.nanos();
    }

    boolean isOver() {
        return reply.isDone() || leftNanos() <= 0;
    }

    /** Ends it without an answer, unless it has ended. */
    void abandon(String why) {
        if (!reply.isDone()) {
            reply.completeExceptionally(new CoordinatorException(why, mayHaveApplied()));
        }
    }

    private boolean mayHaveApplied() {
        return writes.get() > 0;
    }

    /** A write leaves. */
    void sends() {
        writes.incrementAndGet();
    }

    /** It is known that a write has not applied. */
    void wasRefused() {
        writes.decrementAndGet();
    }
}
