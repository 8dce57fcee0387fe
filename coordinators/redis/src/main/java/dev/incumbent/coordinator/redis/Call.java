package dev.incumbent.coordinator.redis;

import dev.incumbent.coordinator.CoordinatorException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/** One request on its way through a lane. Its reply is completed exactly once: by the lane, or at its deadline. Thread-safe. */
final class Call<T> {
    private final Request request;
    private final Function<Reply, T> meaning;
    private final long deadlineNanos;
    private final CompletableFuture<T> reply = new CompletableFuture<>();
    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.WAITING);

    Call(Request request, Function<Reply, T> meaning, long deadlineNanos) {
        this.request = request;
        this.meaning = meaning;
        this.deadlineNanos = deadlineNanos;
    }

    private enum Phase {
        WAITING,
        SENT,
        DONE
    }

    Request request() {
        return request;
    }

    CompletableFuture<T> reply() {
        return reply;
    }

    long deadlineNanos() {
        return deadlineNanos;
    }

    boolean isDone() {
        return phase.get() == Phase.DONE;
    }

    /** Is about to be sent, and from here on may have applied; false where it ended before. */
    boolean leaves() {
        return phase.compareAndSet(Phase.WAITING, Phase.SENT);
    }

    void answer(Object raw) {
        if (phase.getAndSet(Phase.DONE) != Phase.DONE) {
            T value;
            try {
                value = meaning.apply(Reply.of(raw));
            } catch (CoordinatorException told) {
                reply.completeExceptionally(told);
                return;
            } catch (RuntimeException unexpected) {
                reply.completeExceptionally(new CoordinatorException(
                        "an answer that cannot be understood: " + unexpected, request.writes(), unexpected));
                return;
            }
            reply.complete(value);
        }
    }

    /** Ends it without an answer; {@code why} is asked whether it may have applied. */
    void fail(Function<Boolean, CoordinatorException> why) {
        Phase last = phase.getAndSet(Phase.DONE);
        if (last != Phase.DONE) {
            reply.completeExceptionally(why.apply(last == Phase.SENT && request.writes()));
        }
    }
}
