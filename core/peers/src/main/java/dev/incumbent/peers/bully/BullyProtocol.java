package dev.incumbent.peers.bully;

import dev.incumbent.peers.PeerEffect;
import dev.incumbent.peers.PeerEvent;
import dev.incumbent.peers.PeerGroup;
import dev.incumbent.peers.PeerTiming;
import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.Step;

/**
 * The bully election of H. Garcia-Molina (Elections in a Distributed Computing System, IEEE Transactions on Computers, 1982), in the three messages in which
 * textbooks tell it, as a pure machine: the greatest member that lives leads.
 *
 * <pre>
 *  FOLLOWER  -leader silent, or ELECTION of a lesser->  ELECTING  -nobody answered->  LEADER
 *      ^                                                 |    ^                          |
 *      |                                          ALIVE  v    | nobody announced         | ELECTION of a lesser
 *      +-- COORDINATOR or HEARTBEAT of a greater --  WAITING -+                          v
 *      +------------------------------------------------------------------------- (holds an election anew)
 * </pre>
 *
 * <p><b>It assumes</b> that a message arrives within half of {@link PeerTiming#answer()}, or its sender or receiver is dead; that whoever lives answers
 * in time; and that all members have the same list. <b>Where that does not hold, as in a partition or during a pause, several members lead at once, for as long as it lasts.</b>
 * Even where it holds, a greater member that comes back leads before the lesser leader has heard of it. Nothing here is a fencing token.
 *
 * <p>The paper's election first stops the others (HALT, then READY); the textbooks leave that out, and so does this machine. It adds heartbeats, since the paper leaves open
 * how a silent leader is noticed; and a follower that has heard its leader within half a silence answers an ELECTION without holding one. Holds no state.
 */
public final class BullyProtocol {
    private final PeerGroup group;
    private final PeerTiming timing;

    public BullyProtocol(PeerGroup group, PeerTiming timing) {
        this.group = group;
        this.timing = timing;
    }

    /** Takes one event at one moment; moments never go back. What has arrived counts before the time that has passed. */
    public Step<BullyState, PeerEffect<BullyMessage>> step(
            BullyState state, PeerEvent<BullyMessage> event, Moment now) {
        BullyStep step = new BullyStep(group, timing, state, now.nanos());
        step.take(event);
        step.pursue();
        return step.done();
    }
}
