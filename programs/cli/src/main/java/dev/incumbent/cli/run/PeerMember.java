package dev.incumbent.cli.run;

import dev.incumbent.ElectionListener;
import dev.incumbent.cli.frame.Refusal;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.coordinator.peers.PeerElections;
import dev.incumbent.model.CandidateRank;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.Term;
import dev.incumbent.model.Timing;
import dev.incumbent.peers.raft.RaftTiming;

/** A run as a member of a group of peers. */
final class PeerMember {
    private static final int HEARTBEATS = 10;

    private PeerMember() {}

    static PeerElections open(Surroundings around, Plan plan, Bulletin bulletin) {
        requireRaft(around, plan);
        PeerElections.Builder builder = PeerElections.connect(
                        plan.member().in(plan.at().uri(around)))
                .timing(timing(plan.timing()))
                .listener(new News(bulletin))
                .quiet();
        plan.who().address().ifPresent(builder::address);
        return builder.open();
    }

    /** What needs a record, or an end of a leadership that is known beforehand, is refused. */
    private static void requireRaft(Surroundings around, Plan plan) {
        String at = plan.at().label(around);
        if (!at.startsWith("peers+raft:")) {
            throw Refusal.configuration(
                    "--at " + at
                            + ": a leader by bully or ring is not told until when it leads, so 'run' could not stop its command in time; elect by peers+raft");
        }
        if (plan.stonith().isPresent()) {
            throw Refusal.usage(
                    "--at " + at
                            + ": peers have no record that lists who may still act, so --stonith needs a coordinator, such as quorum://");
        }
        boolean isRanked = !plan.who().rank().equals(CandidateRank.PLAIN)
                || plan.who().movesToBetter().isPresent();
        if (isRanked
                || plan.who().name().isPresent()
                || plan.isNonblocking()
                || plan.beats().isPresent()) {
            throw Refusal.usage(
                    "--at " + at
                            + ": peers know no --name, no rank, no --beats and no --nonblock: these need a coordinator, such as quorum://");
        }
    }

    /** All members run with the same lease; an election takes one to two of them. */
    private static RaftTiming timing(Timing timing) {
        try {
            return new RaftTiming(
                    timing.lease().dividedBy(HEARTBEATS),
                    timing.lease(),
                    timing.lease(),
                    timing.lease(),
                    timing.lease().multipliedBy(2),
                    timing.stopLead(),
                    timing.driftBound());
        } catch (IllegalArgumentException unsafe) {
            throw Refusal.configuration("--lease: " + unsafe.getMessage());
        }
    }

    /** Tells what a run must know of its membership. */
    private record News(Bulletin bulletin) implements ElectionListener {
        @Override
        public void onGranted(Term term) {
            bulletin.news("leads term " + term.number());
        }

        @Override
        public void onRevoked(Term term, EndReason reason) {
            bulletin.news("term " + term.number() + " is over: " + reason);
        }

        @Override
        public void onTrouble(ElectionName election, String what) {
            if (what.startsWith("sink ") && what.contains(" could not be raised: ")) {
                bulletin.unraised(what);
            } else {
                bulletin.failure(what);
            }
        }
    }
}
