package dev.incumbent.peers;

import dev.incumbent.peers.bully.BullyState;
import dev.incumbent.peers.ring.RingState;
import java.util.Optional;

/** States of members whose clocks run ahead of the others'. */
final class PeerMachineTimes {
    private PeerMachineTimes() {}

    static BullyState missesItsLeader(BullyState state) {
        return new BullyState(BullyState.Phase.FOLLOWER, state.leader(), 0);
    }

    /** Also one that leads begins an election so, as a member does that has just come back. */
    static RingState missesItsLeader(RingState state) {
        return new RingState(
                RingState.Phase.FOLLOWER,
                Optional.empty(),
                0,
                state.electionEndsAtNanos(),
                state.dead(),
                state.passed(),
                state.lastNumber());
    }
}
