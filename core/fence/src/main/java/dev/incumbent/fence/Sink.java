package dev.incumbent.fence;

import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Mark;
import dev.incumbent.model.SinkId;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * A store behind a fence, as leaders and operators see it: it has an id, and for each election a mark, which they raise. Writers do not use this interface but
 * {@link Fence}.
 *
 * <p>Thread-safe. No call blocks. Each call ends within the time limit that was given when the sink was opened, in a value or a {@link SinkException}. A mark is
 * durable before it is reported.
 */
public interface Sink extends AutoCloseable {
    /** The id that this sink has had since its fence was installed. A copy of the sink has the same id. */
    CompletionStage<SinkId> id();

    /** A name of this sink for people, without credentials. */
    String label();

    /**
     * Raises the mark of an election, if all of these hold (see {@link MarkRule}): the mark in force is lower or absent, or is equal and has the same owner; no
     * freeze owns the mark in force, or the raise is itself a freeze, or a thaw that names exactly this mark; the mark grows by at most {@link Raise#FURTHEST}.
     * Waits for transactions that were admitted before, and new admissions do not overtake it, except in stores without a queue for locks, such as SQLite. The
     * owner of a mark may repeat its raise.
     */
    CompletionStage<Raise> raise(ElectionName election, Mark mark);

    /**
     * Raises the mark for a leader whose leases have this length. A raise waits for admitted transactions, so a sink that can end transactions ends admitted ones
     * that are idle for about this time. Other sinks ignore the length.
     */
    default CompletionStage<Raise> raise(ElectionName election, Mark mark, Duration lease) {
        return raise(election, mark);
    }

    /** The marks of these elections, in as few requests as the store allows. An election without a mark is absent from the result. */
    CompletionStage<MarksRead> marks(Set<ElectionName> elections);

    /** Every mark in this sink. */
    CompletionStage<MarksRead> marks();

    /** Ends the connections of this sink. Never fails, may be called twice. */
    @Override
    void close();
}
