package dev.incumbent;

import dev.incumbent.model.CandidateId;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * One process as a candidate of one election, until this object is closed. Thread-safe. Code that depends on a stage of this object runs on a thread for user
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
     * the election first. It says only that the term has begun: ask {@link Leadership#holds} before each action.
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

    /** Waits at most that long. The result is empty if this process does not lead by then. */
    Optional<Leadership> awaitLeadership(Duration atMost) throws InterruptedException;

    /**
     * Gives up the term that this process leads, and stands again at the end of the line. The stage completes when the record no longer names this process; at
     * once if it leads no term. It fails with an {@link IllegalStateException} if this process leaves the election before its task has returned.
     */
    CompletionStage<Void> resign();

    /**
     * Hands the leadership to another live, enlisted candidate that guards every sink of the record. The transfer is aborted if this process leaves the
     * election first.
     */
    CompletionStage<Transfer> transferTo(CandidateId successor);

    /** Says whether this process can do the work. An unhealthy process neither leads nor stands. */
    void setHealthy(boolean isHealthy);

    /**
     * Stops the task, vacates the term, and leaves the election. The stage completes when nothing of this process is left in the election and its listeners
     * have been told; a task that does not return delays this. A second call has the same result. The program may begin a new candidacy at once; that
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
