package dev.incumbent;

import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.PastTerm;
import dev.incumbent.model.Term;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * One term, as its leader sees it: its token, and whether it still holds. An object stands for one term for ever; when this process leads again, it gets another
 * one. Thread-safe.
 */
public interface Leadership extends Guard {
    /** The term: its election, its number and its leader. */
    Term term();

    /** The previous term of this election, if the record remembers one. */
    Optional<PastTerm> previousTerm();

    /** How long this leadership still holds if the coordinator does not answer again; zero after its end. */
    Duration remaining();

    /** True if the last renewals failed: this leadership still holds, but new work should wait. */
    boolean inJeopardy();

    /** Call this when a sink has refused the token: it ends this leadership as superseded. A StaleTokenException that the task throws has the same effect. */
    void reportStale(StaleTokenException by);

    /**
     * Completes with the reason soon after the term has ended. The guard says no by then; the task may still be stopping. Code that you chain to this stage runs
     * on a thread for user code, and may block.
     */
    CompletionStage<EndReason> ended();

    /**
     * Adds a listener for how long this leadership is valid. It is called with the present {@link Validity}, and again after each renewal. It is called in turn
     * with the candidacy's other listeners; if they were busy meanwhile, it is told only the newest validity. An exception of the listener is traced, and the
     * listener is called again after the next renewal.
     */
    void onRenewed(Consumer<Validity> listener);
}
