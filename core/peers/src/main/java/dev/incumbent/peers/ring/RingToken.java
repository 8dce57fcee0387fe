package dev.incumbent.peers.ring;

import dev.incumbent.peers.MemberId;
import java.util.List;

/** What travels on the ring, from each member to the next one that lives. */
public sealed interface RingToken {
    /** The member that decides which of two tokens of one kind goes on: the greatest id so far, who began the list, or the leader. */
    MemberId decidedBy();

    /** Does this token do all that the other one would? */
    default boolean covers(RingToken other) {
        return getClass() == other.getClass() && decidedBy().compareTo(other.decidedBy()) >= 0;
    }

    /**
     * The greatest id so far, sent by the member that has it.
     *
     * @param hops how often it was passed; it ends after as many as there are members, since then its member is dead
     */
    record Candidature(MemberId greatest, int hops) implements RingToken {
        @Override
        public MemberId decidedBy() {
            return greatest;
        }
    }

    /** Who has passed it on, in order; complete once a member finds itself on it. */
    record Collection(List<MemberId> members) implements RingToken {
        public Collection {
            members = List.copyOf(members);
        }

        @Override
        public MemberId decidedBy() {
            return members.get(0);
        }
    }

    /**
     * That member leads.
     *
     * @param origin who said so first; it ends there
     * @param hops how often it was passed; it ends after as many as there are members, too
     */
    record Announcement(MemberId leader, MemberId origin, int hops) implements RingToken {
        @Override
        public MemberId decidedBy() {
            return leader;
        }
    }
}
