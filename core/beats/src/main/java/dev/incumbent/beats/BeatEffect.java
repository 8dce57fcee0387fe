package dev.incumbent.beats;

import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Sorted;
import java.util.Map;

/** What the machine wants done, in the order given. */
public sealed interface BeatEffect {
    /** Connects; answered by Connected or Unreached. */
    record Dial(Peer peer) implements BeatEffect {}

    /** Sends a message; not answered. */
    record Send(long connection, Message message) implements BeatEffect {}

    /** Ends a connection once what was sent on it has left; not answered. */
    record Drop(long connection) implements BeatEffect {}

    /** That process was itself heard to lead these terms. */
    record Hear(CandidateId leader, Map<ElectionName, Long> terms) implements BeatEffect {
        public Hear {
            terms = Sorted.copyOf(terms);
        }
    }

    /** That process, heard in these terms, is suspected to be gone. */
    record Suspect(CandidateId leader, Map<ElectionName, Long> terms, Reason reason) implements BeatEffect {
        public Suspect {
            terms = Sorted.copyOf(terms);
        }
    }

    /**
     * A process was suspected and is heard again so soon that it was not gone.
     *
     * @param patience how many times as long as usual a silence is from now on
     */
    record TellMistake(CandidateId leader, int patience) implements BeatEffect {}

    /** Why a process is suspected. */
    enum Reason {
        /** Its connection ended, and its host says that nobody listens there any more. */
        GONE,
        /** A majority of its listeners does not hear it. */
        SILENT
    }
}
