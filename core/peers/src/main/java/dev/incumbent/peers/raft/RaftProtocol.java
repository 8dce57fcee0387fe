package dev.incumbent.peers.raft;

import dev.incumbent.peers.MemberId;
import dev.incumbent.peers.PeerGroup;
import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.Step;

/**
 * The election of Raft, with a lease of the leader, as a pure machine. It follows D. Ongaro (Consensus: Bridging Theory and Practice, Stanford, 2014): terms and votes (3.4), transfer (3.10), votes that
 * are refused while a leader is heard (4.2.3), the lease (6.4.1), check-quorum (6.2) and pre-vote (9.6).
 *
 * <pre>
 *  WIPED -all others told their terms-> FOLLOWER -no leader heard-> PRE_CANDIDATE -majority would vote-> CANDIDATE -majority votes-> LEADER
 *                                        ^    |                          |                                  |                     |
 *                                        |    +-- TimeoutNow: at once, without a pre-vote ------------------^                     |
 *                                        +------- a leader, a greater term, no majority in time, transferred ---------------------+
 * </pre>
 *
 * <p><b>It assumes</b> that what was persisted is found again, or nothing at all; that the rates of clocks err by at most {@link RaftTiming#driftBound()}; that the leader's task stops within
 * its stop budget; and that all members have the same list, group and longest lease. <b>Messages may be lost, late, doubled and out of order, members may stop, pause and restart, and the network
 * may part: a term has at most one leader in any case, and no two members hold a lease at once while clocks keep their bound.</b> Without a majority nobody leads. A term is a fencing token.
 *
 * <p>There is no log: any member may lead, and what a leader writes is guarded at the sinks. What the textbook lacks:
 *
 * <ul>
 *   <li>The lease counts from before the heartbeat was sent. A leader whose lease lacks only the stop budget stops, and never leads that term again.
 *   <li>A member that has started votes for nobody for one longest lease, since it has forgotten whose heartbeat it answered. So does a leader that has stepped down, until its lease has
 *       ended or its task has stopped.
 *   <li>A leader that hands over stops its task first, then says TimeoutNow, and leads that term no more.
 *   <li>A member whose disk is empty takes no part until every other member has told its term: one of them is the candidate that it may have voted for.
 *   <li>A sink that refuses a term lifts the persisted term above its mark.
 * </ul>
 *
 * <p>Each step first lets time end what it has ended, then takes the event, then pursues what the role owes. Holds no state.
 */
public final class RaftProtocol {
    final PeerGroup group;
    final RaftTiming timing;

    public RaftProtocol(PeerGroup group, RaftTiming timing) {
        if (group.size() < 2) {
            throw new IllegalArgumentException("a group has at least two members, this one has " + group.ring());
        }
        this.group = group;
        this.timing = timing;
    }

    /** The same where the clock of the moments never jumps. */
    public Step<RaftState, RaftEffect> step(RaftState state, RaftEvent event, Moment now, long dice) {
        return step(state, event, now, now.nanos(), dice);
    }

    /**
     * Takes one event at one moment; moments never go back, except to start again from {@link RaftState#START}.
     *
     * <p>A clock may jump forward, such as one that takes a wall clock that was set for a suspend. That ends a lease early, which is safe for whoever holds it, and must not end a promise early.
     *
     * @param now by which a lease is counted: no less than the time that has passed, but for the drift
     * @param passed by which promises are counted, in nanoseconds from any origin: no more than the time that has passed, but for the drift
     * @param dice any number, drawn anew for each step: from it come the length of an election and the nonce of an inquiry
     */
    public Step<RaftState, RaftEffect> step(RaftState state, RaftEvent event, Moment now, long passed, long dice) {
        RaftStep step = new RaftStep(this, state, now.nanos(), passed, dice);
        LeaseRules.expire(step);
        take(step, event);
        LeaseRules.expire(step);
        switch (step.role) {
            case STOPPED -> {}
            case WIPED -> WipedRules.pursue(step);
            case FOLLOWER, PRE_CANDIDATE, CANDIDATE -> CandidateRules.pursue(step);
            case LEADER -> LeaseRules.pursue(step);
        }
        return step.done();
    }

    private static void take(RaftStep step, RaftEvent event) {
        if (event instanceof RaftEvent.Started e) {
            WipedRules.started(step, e.disk());
        } else if (event instanceof RaftEvent.Founded e) {
            WipedRules.founded(step, e.group());
        } else if (event instanceof RaftEvent.TransferAsked e) {
            LeaseRules.transfer(step, e.successor());
        } else if (event instanceof RaftEvent.TaskStopped e) {
            LeaseRules.stopped(step, e.term());
        } else if (event instanceof RaftEvent.MarkRefused e) {
            LeaseRules.refused(step, e.term(), e.inForce());
        } else if (event instanceof RaftEvent.Received e && step.group.others().contains(e.from())) {
            if (step.role == RaftRole.WIPED) {
                WipedRules.receive(step, e.from(), e.message());
            } else if (step.role != RaftRole.STOPPED) {
                receive(step, e.from(), e.message());
            }
        }
    }

    private static void receive(RaftStep step, MemberId from, RaftMessage message) {
        if (message instanceof RaftMessage.RequestPreVote m) {
            VoterRules.preVoteRequested(step, from, m.term());
        } else if (message instanceof RaftMessage.RequestVote m) {
            VoterRules.voteRequested(step, from, m);
        } else if (message instanceof RaftMessage.Heartbeat m) {
            VoterRules.heartbeat(step, from, m);
        } else if (message instanceof RaftMessage.HigherTerm m) {
            step.adopt(m.term());
        } else if (message instanceof RaftMessage.GrantPreVote m) {
            CandidateRules.preVoteGranted(step, from, m.term());
        } else if (message instanceof RaftMessage.GrantVote m) {
            CandidateRules.voteGranted(step, from, m.term());
        } else if (message instanceof RaftMessage.TimeoutNow m) {
            CandidateRules.timeoutNow(step, m.term());
        } else if (message instanceof RaftMessage.HeartbeatTaken m) {
            LeaseRules.answered(step, from, m);
        } else if (message instanceof RaftMessage.AskTerm m) {
            RaftDisk disk = step.disk();
            step.send(from, new RaftMessage.TellTerm(m.nonce(), disk.group(), disk.term()));
        }
    }
}
