package dev.incumbent;

import dev.incumbent.model.CandidateId;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * One process as a candidate of one election, until this object is closed. Thread-safe. Code that you chain to a stage of this object runs on a thread for user
 * code, and may block.
 */
public interface Candidacy extends AutoCloseable {
    /** The state of this candidacy after its last step. */
    Health health();

    /**
     * The term that this process leads, if its guard says yes during this call; else empty, for example after a long pause. Ask before each action. A task has
     * its own leadership and need not ask here.
     */
    Optional<Leadership> leadership();

    /**
     * The term that this process leads, or else the next one that it will lead. The stage fails with an {@link IllegalStateException} if this process leaves
     * the election first. The term may have ended since: ask {@link Leadership#holds} before each action.
     */
    CompletionStage<Leadership> whenLeading();

    /**
     * Waits until this process leads, see {@link #whenLeading}.
     *
     * <pre>{@code
     * Leadership leading = candidacy.awaitLeadership();
     * while (more() && leading.holds()) {
     *     ledger.append(next(), leading.token());
     * }
     * }</pre>
     */
    Leadership awaitLeadership() throws InterruptedException;

    /** Waits at most that long until this process leads. The result is empty if it does not lead by then. */
    Optional<Leadership> awaitLeadership(Duration atMost) throws InterruptedException;

    /**
     * Gives up the term that this process leads, or raises its sinks for, and stands again at the end of the line. The stage completes when the task has returned
     * and the record no longer names this process. A second call, or one while the term ends for another reason, waits for the same; no call ends a term that
     * begins after it. If this candidacy has no term, the stage completes at once, also while one that this process has closed still ends: {@link #closeAsync}
     * tells when that has. It fails with an {@link IllegalStateException} if this process leaves the election before its task has returned.
     */
    CompletionStage<Void> resign();

    /**
     * Hands the leadership to another candidate. The transfer is aborted, and this process leads on, if that candidate is not on the list, has a dead lease, or
     * lacks a sink of the record. It is also aborted if this process does not lead, or leaves the election first, or is asked to hand over to yet another
     * candidate before this transfer has begun. A second call for the same candidate has the same result.
     */
    CompletionStage<Transfer> transferTo(CandidateId successor);

    /** Says whether this process can do the work. While it cannot, it neither leads nor stands. The default is that it can. */
    void setHealthy(boolean isHealthy);

    /**
     * Says that this process cannot do the work, and why, until {@link #setHealthy} says that it can. Until then {@link Health#trouble} has the reason, and the
     * log and the listeners are told it. A later call replaces the reason.
     */
    void setUnhealthy(String why);

    /**
     * Says how far this process has come, such as the offset that a replica has applied; from 0 on. The list of candidates tells it, a third of a lease after the last time at the earliest.
     * Of equal rank, whoever has come further claims first, and a leader hands over to a candidate only once that one has come as far as the leader had when it was asked: it waits
     * for that at most a lease. In such a transfer, whoever tells no position is not waited for. A leader that tells one and moves by itself ({@link Elections.Builder#movesToBetter})
     * counts whoever tells none as behind, and waits as long as it takes.
     *
     * <p>Any thread, as often as it changes: only the newest is taken.
     */
    void reportPosition(long position);

    /**
     * Stops the task, vacates the record, and leaves the election. The stage completes when nothing of this process is left in the election and its listeners
     * have been told. A task that does not return delays this. A second call has the same result. The program may begin a new candidacy at once; that
     * candidacy stands as soon as this stage has completed.
     */
    CompletionStage<Void> closeAsync();

    /**
     * Calls {@link #closeAsync()} and waits for it, at most for the stop budget and the time of a few requests, and not at all if a listener or a task calls
     * this method. An interrupt ends the wait and nothing else; the thread stays interrupted.
     */
    @Override
    void close();
}
