package dev.incumbent.outcome;

import dev.incumbent.model.Candidate;
import dev.incumbent.model.Freeze;
import dev.incumbent.model.Mark;
import dev.incumbent.model.Request;
import java.time.Duration;

/** How far an operation is; prints as a sentence for who waits. */
public sealed interface Progress {
    /** The leader is asked. */
    record Asked(Request request, Candidate leader) implements Progress {
        @Override
        public String toString() {
            return "asked " + leader + ", the leader of term " + request.term()
                    + (request instanceof Request.TransferTo to
                            ? ", to hand over to " + to.successor()
                            : ", to resign");
        }
    }

    /** Nobody leads. */
    record Vacant(long term) implements Progress {
        @Override
        public String toString() {
            return "nobody leads on record after term " + term;
        }
    }

    /** The flag is set. */
    record FlagSet(Freeze freeze) implements Progress {
        @Override
        public String toString() {
            return "the flag is set, number " + freeze.number() + ", by " + freeze.by();
        }
    }

    /** A sink bears a freeze's mark, or a thaw's. */
    record SinkRaised(String sink, Mark mark) implements Progress {
        @Override
        public String toString() {
            return sink + " is raised to " + mark;
        }
    }

    /** A sink did not answer, or refused; it is asked again while there is time. */
    record SinkLeft(OpenSink sink) implements Progress {
        @Override
        public String toString() {
            return sink.toString();
        }
    }

    /** Who still leads on record. */
    record StillLed(Candidate leader, long term) implements Progress {
        @Override
        public String toString() {
            return leader + " still leads term " + term;
        }
    }

    /** How long until a freeze is quiet. */
    record QuietIn(Duration left) implements Progress {
        @Override
        public String toString() {
            return "quiet in " + left.toMillis() + " ms";
        }
    }
}
