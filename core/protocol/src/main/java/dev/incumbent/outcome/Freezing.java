package dev.incumbent.outcome;

import dev.incumbent.model.Candidate;
import dev.incumbent.model.Freeze;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** How a freeze ended. */
public sealed interface Freezing extends OperatorOutcome {
    /**
     * The flag is set.
     *
     * @param closed the labels of the sinks that are raised: they admit nothing more
     * @param open recorded sinks that were not given, and those not reached or not raised; none makes it <em>closed</em>
     * @param leader who still leads on record, though the time was up
     * @param untilQuiet how long a leader that the record does not name may still believe; once nobody leads on record and this has
     *     passed, it is <em>quiet</em>
     */
    record Frozen(
            Freeze freeze, List<String> closed, List<OpenSink> open, Optional<Candidate> leader, Duration untilQuiet)
            implements Freezing {
        public Frozen {
            closed = List.copyOf(closed);
            open = List.copyOf(open);
        }

        /** Nothing more is admitted. */
        public boolean isClosed() {
            return open.isEmpty();
        }

        /** Nobody can believe to lead. */
        public boolean isQuiet() {
            return leader.isEmpty() && untilQuiet.isZero();
        }
    }

    /** The flag was set and is gone again: somebody thawed, or the coordinator went back. */
    record Undone(String why) implements Freezing {}
}
