package dev.incumbent.beats;

import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Sorted;
import java.util.Map;
import java.util.Set;

/** What two connected processes say to each other; both know from the handshake who speaks. Messages of a connection arrive in order, or not at all. */
public sealed interface Message {
    /**
     * I am alive.
     *
     * @param sequence grows by one with each beat of a connection
     * @param generation of the announcement that was sent last on this connection
     */
    record Beat(long sequence, long generation) implements Message {}

    /** What has changed in the announcement since that generation; from 0, all of it. */
    record Change(
            long from,
            long to,
            Map<ElectionName, Long> terms,
            Set<ElectionName> ended,
            Map<CandidateId, String> joined,
            Set<CandidateId> left)
            implements Message {
        public Change {
            terms = Sorted.copyOf(terms);
            ended = Sorted.copyOf(ended);
            joined = Sorted.copyOf(joined);
            left = Sorted.copyOf(left);
        }
    }

    /** That generation is known here now. */
    record Acknowledged(long generation) implements Message {}

    /**
     * Is that process silent for you, too?
     *
     * @param askedAtNanos on the asker's clock, which the vote repeats
     * @param generation of the last announcement that the asker heard
     */
    record Question(long askedAtNanos, CandidateId about, long generation) implements Message {}

    /** Yes, as an answer to the question of that time; no is not said. */
    record Vote(long askedAtNanos, CandidateId about) implements Message {}

    /** I end this connection. It says nothing bad of me. */
    record Goodbye() implements Message {}
}
