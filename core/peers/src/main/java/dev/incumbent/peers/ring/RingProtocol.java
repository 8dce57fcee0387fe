package dev.incumbent.peers.ring;

import dev.incumbent.peers.PeerEffect;
import dev.incumbent.peers.PeerEvent;
import dev.incumbent.peers.PeerGroup;
import dev.incumbent.peers.PeerTiming;
import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.Step;

/**
 * The election on a ring, as a pure machine: the greatest member that lives leads. In the form {@link RingForm#GREATEST} it follows E. Chang and R. Roberts (An Improved
 * Algorithm for Decentralized Extrema-Finding in Circular Configurations of Processes, Communications of the ACM, 1979), in the form {@link RingForm#LIST} the one in which
 * A. Tanenbaum's textbooks tell it.
 *
 * <p>A token travels from each member to the next: first to find the greatest, then to announce it. With one initiator among <i>m</i> living members the first form
 * passes 2<i>m</i> tokens and as many as there are steps from the initiator to the greatest, at most 3<i>m</i> - 1; the second form passes 2<i>m</i>.
 *
 * <p><b>It assumes</b> what the bully assumes: a message arrives within half of {@link PeerTiming#answer()}, or its sender or receiver is dead; and all members have the same ring.
 * <b>Where that does not hold, as in a partition, each part repairs its ring around the other, and several members lead at once.</b> Nothing here is a fencing token.
 *
 * <p>The papers know no failures. This machine adds what they need: who does not take a token is passed over for the rest of that election; a token whose member is dead
 * ends after one round; of the tokens of one kind that wait to be taken a member passes the greatest alone; an election that names nobody is begun anew; and the leader sends heartbeats to all. Holds no state.
 */
public final class RingProtocol {
    private final PeerGroup group;
    private final PeerTiming timing;
    private final RingForm form;

    public RingProtocol(PeerGroup group, PeerTiming timing, RingForm form) {
        this.group = group;
        this.timing = timing;
        this.form = form;
    }

    /** Takes one event at one moment; moments never go back. What has arrived counts before the time that has passed. */
    public Step<RingState, PeerEffect<RingMessage>> step(RingState state, PeerEvent<RingMessage> event, Moment now) {
        RingStep step = new RingStep(group, timing, form, state, now.nanos());
        step.take(event);
        step.pursue();
        return step.done();
    }
}
