package dev.incumbent.peers.ring;

import dev.incumbent.peers.MemberId;
import java.util.List;

/** What travels on the ring, from each member to the next one that lives. */
public sealed interface RingToken {
    /**
     * The greatest id so far, sent by the member that has it.
     *
     * @param hops how often it was passed; it ends after as many as there are members, since then its member is dead
     */
    record Candidature(MemberId greatest, int hops) implements RingToken {}

    /** Who has passed it on, in order; complete once a member finds itself on it. */
    record Collection(List<MemberId> members) implements RingToken {
        public Collection {
            members = List.copyOf(members);
        }
    }

    /**
     * That member leads.
     *
     * @param origin who said so first; it ends there
     * @param hops how often it was passed; it ends after as many as there are members, too
     */
    record Announcement(MemberId leader, MemberId origin, int hops) implements RingToken {}
}
