package dev.incumbent.coordinator.jdbc;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.time.Timeline;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/** One call on its way through a lane. Its reply is completed exactly once: by the lane, or at its deadline. */
final class Call<T> {
    private final Work<T> work;
    private final Kind kind;
    private final long deadlineNanos;
    private final CompletableFuture<T> reply = new CompletableFuture<>();
    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.WAITING);
    private Optional<Runnable> outcome = Optional.empty();
    private Optional<Supplier<CoordinatorException>> ifReplaced = Optional.empty();

    Call(Work<T> work, Kind kind, long deadlineNanos) {
        this.work = work;
        this.kind = kind;
        this.deadlineNanos = deadlineNanos;
    }

    /** What becomes of a call whose session proves to be gone after it ran. */
    enum Kind {
        /** Runs again on the store that is there now. */
        READ,
        /** Writes what may be written again, and is answered by the store that is there now. */
        REPEATABLE_WRITE,
        /** Writes; whether that counts is uncertain. */
        WRITE
    }

    private enum Phase {
        WAITING,
        IN_TRANSACTION,
        DONE
    }

    CompletableFuture<T> reply() {
        return reply;
    }

    boolean writes() {
        return kind != Kind.READ;
    }

    boolean isRepeatable() {
        return kind != Kind.WRITE;
    }

    long deadlineNanos() {
        return deadlineNanos;
    }

    boolean isDone() {
        return phase.get() == Phase.DONE;
    }

    /** Ends it at its deadline. */
    void timeOut(String what) {
        Phase last = phase.getAndSet(Phase.DONE);
        if (last != Phase.DONE) {
            boolean mayHaveApplied = writes() && last == Phase.IN_TRANSACTION;
            reply.completeExceptionally(
                    new CoordinatorException("no answer from " + what + " within its request timeout", mayHaveApplied));
        }
    }

    /** From here on a timeout cannot tell whether it applied. */
    void entersTransaction() {
        phase.compareAndSet(Phase.WAITING, Phase.IN_TRANSACTION);
    }

    /** It was rolled back, or never began. */
    void leavesTransaction() {
        phase.compareAndSet(Phase.IN_TRANSACTION, Phase.WAITING);
        outcome = Optional.empty();
    }

    /** What answers it, whatever its work may tell, where the store's files prove to be replaced. */
    void ifReplaced(Supplier<CoordinatorException> answer) {
        ifReplaced = Optional.of(answer);
    }

    void failAsReplaced() {
        ifReplaced.ifPresent(answer -> fail(answer.get()));
    }

    /** Does its work, and keeps the outcome until {@link #answer()}. */
    void run(Tx tx) throws SQLException, NeedsWrite {
        try {
            T value = work.in(tx);
            outcome = Optional.of(() -> reply.complete(value));
        } catch (CoordinatorException refusal) {
            outcome = Optional.of(() -> reply.completeExceptionally(refusal));
        }
    }

    void answer() {
        if (phase.getAndSet(Phase.DONE) != Phase.DONE) {
            outcome.orElseThrow().run();
        }
    }

    void fail(CoordinatorException why) {
        if (phase.getAndSet(Phase.DONE) != Phase.DONE) {
            reply.completeExceptionally(why);
        }
    }

    /** What is to be done with its reply, by whoever completes it. */
    void then(BiConsumer<? super T, ? super Throwable> action) {
        CompletionStage<T> unused = reply.whenComplete(action);
    }

    /** Arms its deadline on a timeline. */
    void boundBy(Timeline timeline, String what) {
        Timeline.Alarm alarm = timeline.at(deadlineNanos, () -> timeOut(what));
        then((value, failure) -> alarm.cancel());
    }
}
