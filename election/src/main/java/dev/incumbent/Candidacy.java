package dev.incumbent;

import dev.incumbent.model.CandidateId;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** One process standing in one election until this is closed. Thread-safe. */
public interface Candidacy extends AutoCloseable {
    /** How it stands, as of the last step. */
    Health health();

    /** The term it leads, where its guard says yes at this call: never one that a pause has outlived. Ask before each act; a task has its own. */
    Optional<Leadership> leadership();

    /** Gives up the term it leads, and stands again at the end of the line; done once the record names it no more. Done at once where it leads none. */
    CompletionStage<Void> resign();

    /** Hands the term it leads to a live, enlisted candidate that brings every sink. */
    CompletionStage<Transfer> transferTo(CandidateId successor);

    /** Says whether this process could do the work: unwell, it neither leads nor stands. */
    void well(boolean isWell);

    /**
     * Stops the task, vacates, and stands no longer. Waits for that, and until a listener has heard it, for the stop budget and a few requests at the most;
     * called by a listener it does not wait.
     */
    @Override
    void close();
}
