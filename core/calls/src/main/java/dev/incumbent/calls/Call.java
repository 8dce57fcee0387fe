package dev.incumbent.calls;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * One call on its way: it waits, it is sent, it is over. It ends once, by an answer or by a failure, and whoever comes later changes nothing. A failure says that a
 * write may have applied if it was sent, and not taken back since.
 *
 * <p>Adapters extend it by what is sent. Thread-safe.
 */
public class Call<T> {
    private final boolean writes;
    private final long deadlineNanos;
    private final CompletableFuture<T> reply = new CompletableFuture<>();
    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.WAITING);

    private enum Phase {
        WAITING,
        SENT,
        OVER
    }

    /**
     * A call that waits.
     *
     * @param writes does it change the store
     * @param deadlineNanos by the clock of its {@link Deadlines}
     */
    public Call(boolean writes, long deadlineNanos) {
        this.writes = writes;
        this.deadlineNanos = deadlineNanos;
    }

    /** Completed on the thread that ends the call. */
    public final CompletableFuture<T> reply() {
        return reply;
    }

    public final boolean writes() {
        return writes;
    }

    public final long deadlineNanos() {
        return deadlineNanos;
    }

    public final boolean isOver() {
        return phase.get() == Phase.OVER;
    }

    /** To be asked right before it is sent: from here on it may have applied. False if it is over, or was sent already: then it must not be. */
    public final boolean send() {
        return phase.compareAndSet(Phase.WAITING, Phase.SENT);
    }

    /** The store surely did nothing of it: it waits again. False if it did not have to be taken back. */
    public final boolean takeBack() {
        return phase.compareAndSet(Phase.SENT, Phase.WAITING);
    }

    /** Ends it by an answer; false if it was over. */
    public final boolean answer(T value) {
        return answer(() -> value);
    }

    /** Ends it by what an answer means. What {@code meaning} throws is the answer, too. It is not asked if the call was over. */
    public final boolean answer(Supplier<? extends T> meaning) {
        if (isEnding() == Phase.OVER) {
            return false;
        }
        T value;
        try {
            value = meaning.get();
        } catch (RuntimeException | Error thrown) {
            reply.completeExceptionally(thrown);
            return true;
        }
        reply.complete(value);
        return true;
    }

    /** Ends it by a failure that is known; false if it was over. */
    public final boolean fail(RuntimeException told) {
        boolean isFirst = isEnding() != Phase.OVER;
        if (isFirst) {
            reply.completeExceptionally(told);
        }
        return isFirst;
    }

    /** Ends it without an answer; false if it was over. */
    public final boolean fail(String why, Failures failures) {
        return fail(why, failures, () -> {});
    }

    private boolean fail(String why, Failures failures, Runnable beforeItIsTold) {
        Phase last = isEnding();
        if (last == Phase.OVER) {
            return false;
        }
        try {
            beforeItIsTold.run();
        } finally {
            reply.completeExceptionally(failure(why, writes && last == Phase.SENT, failures));
        }
        return true;
    }

    /** What its caller hears where it ends without an answer. An adapter may add what was called. */
    protected RuntimeException failure(String why, boolean mayHaveApplied, Failures failures) {
        return failures.of(why, mayHaveApplied);
    }

    /**
     * Lets it end at its deadline.
     *
     * @param tooLate runs where the deadline ends it: after it is over, and before its caller hears of it
     */
    public final void limit(Deadlines deadlines, String why, Failures failures, Runnable tooLate) {
        limit(deadlines, () -> fail(why, failures, tooLate));
    }

    /** Lets {@code end} end it at its deadline, in whatever came of it until then. */
    public final void limit(Deadlines deadlines, Runnable end) {
        Runnable takenBack = deadlines.at(deadlineNanos, end);
        CompletableFuture<T> unused = reply.whenComplete((value, failure) -> takenBack.run());
    }

    private Phase isEnding() {
        return phase.getAndSet(Phase.OVER);
    }
}
