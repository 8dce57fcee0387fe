package dev.incumbent.peers.raft;

import dev.incumbent.peers.MemberId;
import java.util.Optional;

/**
 * What a member must find again after a restart. That it is there at all is the mark by which a wiped disk is told from a used one.
 *
 * @param group the mark: the group that the disk was founded for, one text that all its members have
 * @param term the greatest that this member knows
 * @param vote whom it has voted for in this term
 */
public record RaftDisk(String group, long term, Optional<MemberId> vote) {
    public RaftDisk {
        if (group.isBlank() || term < 0) {
            throw new IllegalArgumentException("a group has a name and a term from 0 on, not " + group + ", " + term);
        }
    }

    RaftDisk unvoted(long nextTerm) {
        return new RaftDisk(group, nextTerm, Optional.empty());
    }

    RaftDisk voted(long inTerm, MemberId candidate) {
        return new RaftDisk(group, inTerm, Optional.of(candidate));
    }
}
