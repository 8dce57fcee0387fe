package dev.incumbent.beats;

import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Sorted;
import java.util.Map;

/** What has happened to the connections of one process. */
public sealed interface BeatEvent {
    /** This process has claimed, raises sinks for, or holds these terms, and no others; all sinks of each are fenced. */
    record Leads(Map<ElectionName, Long> terms) implements BeatEvent {
        public Leads {
            terms = Sorted.copyOf(terms);
        }
    }

    /** These processes lead elections that this one stands in, and no others; with their addresses. */
    record Follows(Map<CandidateId, String> leaders) implements BeatEvent {
        public Follows {
            leaders = Sorted.copyOf(leaders);
        }
    }

    /** This process has begun to stand in that election: whoever was heard to lead it is told once more. */
    record Stands(ElectionName election) implements BeatEvent {}

    /**
     * A connection is open, and its handshake has shown who is there.
     *
     * @param dialled by this process
     */
    record Connected(long connection, Peer peer, boolean dialled) implements BeatEvent {}

    /** A connection has ended, by whatever but {@link BeatEffect.Drop}. */
    record Disconnected(long connection) implements BeatEvent {}

    /**
     * Nobody was reached at a peer's address, or somebody else.
     *
     * @param refused the peer's host answered that nobody listens there
     */
    record Unreached(Peer peer, boolean refused) implements BeatEvent {}

    /** A message has arrived. */
    record Received(long connection, Message message) implements BeatEvent {}

    /** The time that the machine asked to be woken at has come. Told by the thread that reads the connections, once it has read what has arrived. */
    record Woken() implements BeatEvent {}

    /** This process beats no longer. */
    record Closing() implements BeatEvent {}
}
