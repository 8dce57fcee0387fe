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
    Optional<PastTerm> previous();

    /** How long it holds if nothing more is heard; zero once it is over. */
    Duration remaining();

    /** The last renewals failed: it still holds, but new work should wait. */
    boolean inJeopardy();

    /** A sink has refused the token: ends this leadership as superseded. A StaleTokenException that leaves the task says the same. */
    void refused(StaleTokenException by);

    /**
     * Completes with the reason as soon as the term is over, its guard saying no; a task may still be stopping. On the driver's thread: what depends on it must
     * return at once, or go to another thread, or be a {@link TermListener}.
     */
    CompletionStage<EndReason> ended();

    /** Hears the validity as it is now and each time it is extended, on the driver's thread; must return at once. */
    void onValidity(Consumer<Validity> listener);
}
