package dev.incumbent.fence;

import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Mark;
import dev.incumbent.model.SinkId;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * A sink as leaders and operators see it: it has an id, and marks that are raised.
 *
 * <p>Thread-safe; no call blocks, and each ends within the bound given when it was opened, in a value or a {@link SinkException}. Every mark is durable
 * before it is told.
 */
public interface Sink extends AutoCloseable {
    /** The id that was born with this sink. */
    CompletionStage<SinkId> id();

    /** How people call this sink, without credentials. */
    String label();

    /**
     * Raises the mark, if (it is lower, absent, or equal and of the same owner) and (no freeze owns it, or the raiser is a freeze, or a thaw that names
     * this very mark). Waits, fairly, for admitted transactions. Repeatable by its owner.
     */
    CompletionStage<Raise> raise(ElectionName election, Mark mark);

    /**
     * The same for a leader whose leases last this long. A raise waits for admitted transactions, so a sink that can end them ends those that are idle for about
     * that time. Other sinks need not know it.
     */
    default CompletionStage<Raise> raise(ElectionName election, Mark mark, Duration lease) {
        return raise(election, mark);
    }

    /** The marks of these elections, in as few requests as the store allows; absent where there is none. */
    CompletionStage<MarksRead> marks(Set<ElectionName> elections);

    /** Every mark in this sink. */
    CompletionStage<MarksRead> marks();

    /** Ends its connections. Never fails, may be called twice. */
    @Override
    void close();
}
