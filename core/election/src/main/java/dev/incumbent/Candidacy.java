package dev.incumbent;

import dev.incumbent.model.CandidateId;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** One process standing in one election until this is closed. Thread-safe. What depends on a stage of this runs on a thread of user code, and may block. */
public interface Candidacy extends AutoCloseable {
    /** How it stands, as of the last step. */
    Health health();

    /** The term it leads, where its guard says yes at this call: never one that a pause has outlived. Ask before each act; a task has its own. */
    Optional<Leadership> leadership();

    /**
     * The term it leads, or else the next one that it will lead; ends in an {@link IllegalStateException} where this process leaves the election first. It tells the
     * beginning alone: what acts asks {@link Leadership#holds} before each act.
     */
    CompletionStage<Leadership> whenLeading();

    /**
     * {@link #whenLeading}, and waits for it.
     *
     * <pre>{@code
     * Leadership leading = candidacy.awaitLeadership();
     * while (more() && leading.holds()) {
     *     ledger.append(next(), leading.token());
     * }
     * }</pre>
     */
    Leadership awaitLeadership() throws InterruptedException;

    /** The same for that long at the most; empty where it leads no term by then. */
    Optional<Leadership> awaitLeadership(Duration atMost) throws InterruptedException;

    /**
     * Gives up the term it leads, and stands again at the end of the line; done once the record names it no more. Done at once where it leads
     * none; ends in an {@link IllegalStateException} where this process leaves the election before its task has returned.
     */
    CompletionStage<Void> resign();

    /** Hands the term it leads to another live, enlisted candidate that brings every sink; aborted where this process leaves the election first. */
    CompletionStage<Transfer> transferTo(CandidateId successor);

    /** Says whether this process could do the work: unwell, it neither leads nor stands. */
    void setHealthy(boolean isHealthy);

    /**
     * Stops the task, vacates, and stands no longer. Completes once nothing of this process is left in the election and listeners have heard it: a task that does
     * not return delays that. Asked again it tells the same. This process may stand there again at once; it then stands as soon as this has completed.
     */
    CompletionStage<Void> closeAsync();

    /**
     * {@link #closeAsync()}, and waits for it, for the stop budget and a few requests at the most. Called by a listener or a task it does not wait; an interrupt
     * ends the wait alone, and stays set.
     */
    @Override
    void close();
}
