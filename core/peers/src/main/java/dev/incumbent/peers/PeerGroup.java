package dev.incumbent.peers;

import java.util.List;
import java.util.TreeSet;

/**
 * A member and its group. The group is fixed: every member has the same list, and nobody joins or leaves.
 *
 * @param me the member whose view this is
 * @param ring all members, in the order of the ring; the last is followed by the first
 */
public record PeerGroup(MemberId me, List<MemberId> ring) {
    public PeerGroup {
        ring = List.copyOf(ring);
        if (!ring.contains(me)) {
            throw new IllegalArgumentException(me + " is not one of " + ring);
        }
        if (new TreeSet<>(ring).size() < ring.size()) {
            throw new IllegalArgumentException("a member is there twice: " + ring);
        }
    }

    public int size() {
        return ring.size();
    }

    /** How many members are more than half of them. */
    public int majority() {
        return size() / 2 + 1;
    }

    /** All members but this one, in the order of the ring. */
    public List<MemberId> others() {
        return ring.stream().filter(member -> !member.equals(me)).toList();
    }

    /** The members with a greater id than this one. */
    public List<MemberId> greater() {
        return ring.stream().filter(member -> member.compareTo(me) > 0).toList();
    }

    /** The members with a lesser id than this one. */
    public List<MemberId> lesser() {
        return ring.stream().filter(member -> member.compareTo(me) < 0).toList();
    }

    /** Who follows that member on the ring. */
    public MemberId after(MemberId member) {
        return ring.get((ring.indexOf(member) + 1) % size());
    }
}
