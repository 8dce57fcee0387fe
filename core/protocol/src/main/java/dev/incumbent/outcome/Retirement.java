package dev.incumbent.outcome;

import dev.incumbent.model.SinkId;
import dev.incumbent.model.Sorted;
import java.util.Set;

/** How retiring a sink, or taking that back, ended. */
public sealed interface Retirement extends OperatorOutcome {
    /** The sink is retired, or is not any more; {@code changed} is false where that was so before. */
    record Done(boolean changed) implements Retirement {}

    /** The record does not name that sink; these it does. */
    record UnknownSink(Set<SinkId> recorded) implements Retirement {
        public UnknownSink {
            recorded = Sorted.copyOf(recorded);
        }
    }
}
