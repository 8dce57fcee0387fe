package dev.incumbent.peers.raft;

import dev.incumbent.peers.MemberId;
import java.util.Optional;

/** Whom a member votes for, and whom it follows. A vote is on the disk before it is told. */
final class VoterRules {
    private VoterRules() {}

    static void preVoteRequested(RaftStep step, MemberId from, long term) {
        if (term <= step.term()) {
            step.send(from, new RaftMessage.HigherTerm(step.term()));
        } else if (mayVote(step, false)) {
            step.send(from, new RaftMessage.GrantPreVote(term));
        }
    }

    /** A request that is refused changes nothing, not even the term: so a member that was away disturbs nobody. */
    static void voteRequested(RaftStep step, MemberId from, RaftMessage.RequestVote request) {
        long term = request.term();
        if (term < step.term()) {
            step.send(from, new RaftMessage.HigherTerm(step.term()));
            return;
        }
        Optional<MemberId> vote = term == step.term() ? step.disk().vote() : Optional.empty();
        if (mayVote(step, request.transfer())
                && vote.filter(one -> !one.equals(from)).isEmpty()) {
            step.persist(step.disk().voted(term, from));
            step.becomeFollower();
            step.send(from, new RaftMessage.GrantVote(term));
        }
    }

    /**
     * Answering binds this member for one lease, counted from now, which is after the leader has sent it. A lease that is longer than the longest is not answered, since after a restart
     * this member would keep no such promise; and it binds for the longest one, since nobody counts on more.
     */
    static void heartbeat(RaftStep step, MemberId from, RaftMessage.Heartbeat heartbeat) {
        if (heartbeat.term() < step.term()) {
            step.send(from, new RaftMessage.HigherTerm(step.term()));
            return;
        }
        step.adopt(heartbeat.term());
        if (step.role == RaftRole.LEADER) {
            return;
        }
        boolean known = step.promise.leader().equals(Optional.of(from));
        step.becomeFollower();
        long longest = step.timing.longestLease().toNanos();
        step.promise = step.promise.bound(from, step.passed + Math.min(heartbeat.leaseNanos(), longest));
        if (!known) {
            step.emit(new RaftEffect.FollowLeader(from, heartbeat.term()));
        }
        if (heartbeat.leaseNanos() <= longest) {
            step.send(from, new RaftMessage.HeartbeatTaken(heartbeat.term(), heartbeat.sentAtNanos()));
        }
    }

    /**
     * May this member vote for another one? Not while it leads or its own lease may still be used, not within one longest lease of its start, and not while it is bound, unless
     * the leader that it is bound to has stopped.
     */
    static boolean mayVote(RaftStep step, boolean transfer) {
        VotePromise promise = step.promise;
        boolean used =
                step.led.filter(held -> step.now < held.leaseEndsAtNanos()).isPresent();
        return step.role != RaftRole.LEADER
                && !used
                && step.passed >= promise.mutedUntilNanos()
                && (transfer || step.passed >= promise.boundUntilNanos());
    }
}
