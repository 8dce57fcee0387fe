package dev.incumbent;

import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.PastTerm;
import dev.incumbent.model.Term;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** One term, as its leader sees it. Thread-safe. */
public interface Leadership extends Guard {
    Term term();

    /** The term before, where the record remembers one. */
    Optional<PastTerm> previousTerm();

    /** How long it holds if nothing more is heard; zero once it is over. */
    Duration remaining();

    /** The last renewals failed: it still holds, but new work should wait. */
    boolean inJeopardy();

    /** A sink has refused the token: ends this leadership as superseded. A StaleTokenException that leaves the task says the same. */
    void reportStale(StaleTokenException by);

    /**
     * Completes with the reason soon after the term is over, its guard saying no; a task may still be stopping. What depends on it runs on a thread of user code,
     * and may block.
     */
    CompletionStage<EndReason> ended();

    /**
     * Hears the validity as it is now and each time it is extended, among the candidacy's other listeners: the newest alone where it was busy meanwhile. One that
     * throws is traced, and hears the next.
     */
    void onRenewed(Consumer<Validity> listener);
}
