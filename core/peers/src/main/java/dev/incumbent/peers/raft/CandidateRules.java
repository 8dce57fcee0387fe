package dev.incumbent.peers.raft;

import dev.incumbent.peers.MemberId;

/** How a member stands: first it asks whether it would be voted for, so that its term grows only where it may win. */
final class CandidateRules {
    private CandidateRules() {}

    /** Time is up: stands, or once more. A member does not whose old task still runs, or who may vote for nobody: it would vote for itself. */
    static void pursue(RaftStep step) {
        if (step.now < step.dueAt) {
            return;
        }
        if (step.led.isPresent() || !VoterRules.mayVote(step, false)) {
            step.armElection();
            return;
        }
        step.becomeCandidate(RaftRole.PRE_CANDIDATE);
        step.sendOthers(new RaftMessage.RequestPreVote(Math.addExact(step.term(), 1)));
    }

    static void preVoteGranted(RaftStep step, MemberId from, long term) {
        if (step.role == RaftRole.PRE_CANDIDATE && term == Math.addExact(step.term(), 1)) {
            step.granted.add(from);
            if (step.isGrantedByMajority()) {
                stand(step, false);
            }
        }
    }

    static void voteGranted(RaftStep step, MemberId from, long term) {
        if (step.role == RaftRole.CANDIDATE && term == step.term()) {
            step.granted.add(from);
            if (step.isGrantedByMajority()) {
                LeaseRules.elected(step);
            }
        }
    }

    /** The leader of that term has stopped, and wants this member to follow it. */
    static void timeoutNow(RaftStep step, long term) {
        if (term < step.term()) {
            return;
        }
        step.adopt(term);
        boolean waits = step.role == RaftRole.FOLLOWER || step.role == RaftRole.PRE_CANDIDATE;
        if (waits && step.led.isEmpty() && VoterRules.mayVote(step, true)) {
            stand(step, true);
        }
    }

    private static void stand(RaftStep step, boolean transfer) {
        long term = Math.addExact(step.term(), 1);
        step.persist(step.disk().voted(term, step.group.me()));
        step.becomeCandidate(RaftRole.CANDIDATE);
        step.sendOthers(new RaftMessage.RequestVote(term, transfer));
    }
}
