package dev.incumbent.peers;

import dev.incumbent.peers.bully.BullyMessage;
import dev.incumbent.peers.bully.BullyProtocol;
import dev.incumbent.peers.bully.BullyState;
import dev.incumbent.peers.ring.RingForm;
import dev.incumbent.peers.ring.RingMessage;
import dev.incumbent.peers.ring.RingProtocol;
import dev.incumbent.peers.ring.RingState;
import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.Step;
import java.util.function.Function;

/**
 * The machine of one member of a bully or a ring.
 *
 * @param <S> its states
 * @param <M> its messages
 */
interface PeerMachine<S, M> {
    Step<S, PeerEffect<M>> step(S state, PeerEvent<M> event, Moment now);

    /** A protocol: where a member begins, and its machine. */
    record Kind<S, M>(String name, S start, Function<PeerGroup, PeerMachine<S, M>> machine) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Kind<BullyState, BullyMessage> bully() {
        return new Kind<>("bully", BullyState.START, group -> new BullyProtocol(group, Stages.PEER_TIMING)::step);
    }

    static Kind<RingState, RingMessage> ring(RingForm form) {
        return new Kind<>(
                "ring, " + form, RingState.START, group -> new RingProtocol(group, Stages.PEER_TIMING, form)::step);
    }
}
