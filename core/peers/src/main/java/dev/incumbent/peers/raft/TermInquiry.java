package dev.incumbent.peers.raft;

import dev.incumbent.model.Sorted;
import dev.incumbent.peers.MemberId;
import java.util.Map;

/**
 * What a member with an empty disk has been told by the others.
 *
 * @param nonce drawn at this start: an answer to an earlier start's question may be too old
 */
public record TermInquiry(long nonce, Map<MemberId, RaftMessage.TellTerm> told) {
    public TermInquiry {
        told = Sorted.copyOf(told);
    }
}
