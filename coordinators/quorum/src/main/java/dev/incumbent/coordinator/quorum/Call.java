package dev.incumbent.coordinator.quorum;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.time.Timeline;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

/** One call on its way. Its reply is completed exactly once: by its lane, or at its deadline. */
final class Call<T> {
    private final String line;
    private final boolean changes;
    private final Meaning<T> meaning;
    private final long deadlineNanos;
    private final CompletableFuture<T> reply = new CompletableFuture<>();
    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.WAITING);
    private volatile long sentAtNanos;

    /**
     * A call.
     *
     * @param line what is sent
     * @param changes does it change the store
     */
    Call(String line, boolean changes, Meaning<T> meaning, long deadlineNanos) {
        this.line = line;
        this.changes = changes;
        this.meaning = meaning;
        this.deadlineNanos = deadlineNanos;
    }

    /** What an answer's fields mean to the caller; may throw what is the call's own outcome. */
    @FunctionalInterface
    interface Meaning<T> {
        T of(List<String> answer, long sentAtNanos);
    }

    private enum Phase {
        WAITING,
        SENT,
        DONE
    }

    String line() {
        return line;
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

    /** From here on a timeout cannot tell whether it applied. */
    void sendsAt(long nanos) {
        sentAtNanos = nanos;
        phase.compareAndSet(Phase.WAITING, Phase.SENT);
    }

    /** It surely did nothing. */
    void cameBack() {
        phase.compareAndSet(Phase.SENT, Phase.WAITING);
    }

    void answer(List<String> fields) {
        if (phase.getAndSet(Phase.DONE) == Phase.DONE) {
            return;
        }
        try {
            reply.complete(meaning.of(fields, sentAtNanos));
        } catch (CoordinatorException outcome) {
            reply.completeExceptionally(outcome);
        } catch (RuntimeException notUnderstood) {
            reply.completeExceptionally(new CoordinatorException(
                    "a quorum node's answer is not understood: " + notUnderstood, changes, notUnderstood));
        }
    }

    /** Ends it without an answer; {@code why} says what happened. */
    void fail(String why) {
        Phase last = phase.getAndSet(Phase.DONE);
        if (last != Phase.DONE) {
            reply.completeExceptionally(new CoordinatorException(why, changes && last == Phase.SENT));
        }
    }

    void fail(CoordinatorException outcome) {
        if (phase.getAndSet(Phase.DONE) != Phase.DONE) {
            reply.completeExceptionally(outcome);
        }
    }

    /** Arms its deadline. */
    void boundBy(Timeline timeline, String where) {
        Timeline.Alarm alarm =
                timeline.at(deadlineNanos, () -> fail("no answer from " + where + " within the request timeout"));
        var unused = reply.whenComplete((value, failure) -> alarm.cancel());
    }
}
