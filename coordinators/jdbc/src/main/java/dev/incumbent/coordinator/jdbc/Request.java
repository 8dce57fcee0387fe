package dev.incumbent.coordinator.jdbc;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.time.Timeline;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;

/** One call to a database server, on its way. Its reply is completed exactly once: by who serves it, or at its deadline. */
final class Request<T> {
    private final ServerWork<T> work;
    private final boolean writes;
    private final Optional<Share<?, T>> share;
    private final long deadlineNanos;
    private final CompletableFuture<T> reply = new CompletableFuture<>();
    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.WAITING);
    private boolean repeated;
    private volatile boolean alone;

    Request(ServerWork<T> work, boolean writes, Optional<Share<?, T>> share, long deadlineNanos) {
        this.work = work;
        this.writes = writes;
        this.share = share;
        this.deadlineNanos = deadlineNanos;
    }

    private enum Phase {
        WAITING,
        SENT,
        DONE
    }

    CompletableFuture<T> reply() {
        return reply;
    }

    long deadlineNanos() {
        return deadlineNanos;
    }

    /** Arms its deadline. */
    void boundBy(Timeline timeline, String what) {
        Timeline.Alarm alarm = timeline.at(
                deadlineNanos, () -> fail("no answer from the coordinator " + what + " within the request timeout"));
        CompletionStage<T> unused = reply.whenComplete((value, failure) -> alarm.cancel());
    }

    /** From here on it may have applied, unless the server says otherwise; false if it has ended. */
    boolean send() {
        return phase.compareAndSet(Phase.WAITING, Phase.SENT);
    }

    boolean isDone() {
        return phase.get() == Phase.DONE;
    }

    /** Does its work; what answers it. */
    Runnable run(ServerSession session) throws SQLException {
        T value = work.in(session);
        return () -> answer(value);
    }

    /** What it shares with others, where it may. */
    Optional<Share<?, T>> share() {
        return alone ? Optional.empty() : share;
    }

    void answer(T value) {
        if (phase.getAndSet(Phase.DONE) != Phase.DONE) {
            reply.complete(value);
        }
    }

    /** May it be sent once more, its connection having broken? Only what writes nothing, and once. */
    boolean mayRepeat() {
        boolean may = !writes && !repeated && phase.compareAndSet(Phase.SENT, Phase.WAITING);
        repeated |= may;
        return may;
    }

    boolean writes() {
        return writes;
    }

    /** Nothing was done for it among others: it waits again, to go alone. */
    void goAlone() {
        alone = true;
        phase.compareAndSet(Phase.SENT, Phase.WAITING);
    }

    /** Ends it without an answer; whether it may have applied is told by how far it had come. */
    void fail(String why) {
        Phase last = phase.getAndSet(Phase.DONE);
        if (last != Phase.DONE) {
            reply.completeExceptionally(new CoordinatorException(why, writes && last == Phase.SENT));
        }
    }

    void fail(CoordinatorException why) {
        if (phase.getAndSet(Phase.DONE) != Phase.DONE) {
            reply.completeExceptionally(why);
        }
    }
}
