package dev.incumbent.peers.raft;

import dev.incumbent.model.Sorted;
import dev.incumbent.peers.MemberId;
import dev.incumbent.protocol.Step;
import java.util.Optional;
import java.util.Set;

/**
 * One member of a Raft election. Immutable. Only {@code disk} outlives the process.
 *
 * @param disk what was persisted last; empty while the member is wiped
 * @param promise why it votes for nobody
 * @param dueAtNanos when it stands, gives up an election, asks again, or sends the next heartbeat
 * @param granted who votes, or would vote, for it; itself included
 * @param led the term that it leads, or whose task has not stopped yet
 * @param inquiry while the member is wiped
 */
public record RaftState(
        RaftRole role,
        Optional<RaftDisk> disk,
        VotePromise promise,
        long dueAtNanos,
        Set<MemberId> granted,
        Optional<LedTerm> led,
        Optional<TermInquiry> inquiry) {
    public static final RaftState START = new RaftState(
            RaftRole.STOPPED,
            Optional.empty(),
            VotePromise.NONE,
            Step.NEVER,
            Set.of(),
            Optional.empty(),
            Optional.empty());

    public RaftState {
        granted = Sorted.copyOf(granted);
    }

    /** May the task of that term act at that time? Its guard asks this of the newest state. */
    public boolean mayAct(long term, long now) {
        return led.filter(held ->
                        held.term() == term && held.task() != LedTerm.Task.WAITS && now < held.leaseEndsAtNanos())
                .isPresent();
    }
}
