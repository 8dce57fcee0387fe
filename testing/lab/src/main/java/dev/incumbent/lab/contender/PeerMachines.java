package dev.incumbent.lab.contender;

import dev.incumbent.lab.world.MessageKind;
import dev.incumbent.peers.PeerEffect;
import dev.incumbent.peers.PeerEvent;
import dev.incumbent.peers.PeerGroup;
import dev.incumbent.peers.PeerTiming;
import dev.incumbent.peers.bully.BullyMessage;
import dev.incumbent.peers.bully.BullyProtocol;
import dev.incumbent.peers.bully.BullyState;
import dev.incumbent.peers.ring.RingForm;
import dev.incumbent.peers.ring.RingMessage;
import dev.incumbent.peers.ring.RingProtocol;
import dev.incumbent.peers.ring.RingState;
import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.Step;

/** The shipped machines of bully and ring, in the one form in which the lab drives them. */
final class PeerMachines {
    private PeerMachines() {}

    /** One of them: its states and its messages. */
    interface PeerMachine<S, M> {
        S start();

        Step<S, PeerEffect<M>> step(S state, PeerEvent<M> event, Moment now);

        MessageKind kindOf(M message);

        String labelOf(M message);

        /** Does it look for a leader? */
        boolean isElecting(S state);
    }

    static PeerMachine<BullyState, BullyMessage> bully(PeerGroup group, PeerTiming timing) {
        BullyProtocol protocol = new BullyProtocol(group, timing);
        return new PeerMachine<>() {
            @Override
            public BullyState start() {
                return BullyState.START;
            }

            @Override
            public Step<BullyState, PeerEffect<BullyMessage>> step(
                    BullyState state, PeerEvent<BullyMessage> event, Moment now) {
                return protocol.step(state, event, now);
            }

            @Override
            public MessageKind kindOf(BullyMessage message) {
                return message == BullyMessage.HEARTBEAT ? MessageKind.HEARTBEAT : MessageKind.ELECTION;
            }

            @Override
            public String labelOf(BullyMessage message) {
                return message.name();
            }

            @Override
            public boolean isElecting(BullyState state) {
                return state.phase() == BullyState.Phase.ELECTING || state.phase() == BullyState.Phase.WAITING;
            }
        };
    }

    static PeerMachine<RingState, RingMessage> ring(PeerGroup group, PeerTiming timing, RingForm form) {
        RingProtocol protocol = new RingProtocol(group, timing, form);
        return new PeerMachine<>() {
            @Override
            public RingState start() {
                return RingState.START;
            }

            @Override
            public Step<RingState, PeerEffect<RingMessage>> step(
                    RingState state, PeerEvent<RingMessage> event, Moment now) {
                return protocol.step(state, event, now);
            }

            /** The answer that a token has arrived is not counted as one of the election, as nowhere in the literature. */
            @Override
            public MessageKind kindOf(RingMessage message) {
                return message instanceof RingMessage.Passed ? MessageKind.ELECTION : MessageKind.HEARTBEAT;
            }

            @Override
            public String labelOf(RingMessage message) {
                return message instanceof RingMessage.Passed passed
                        ? passed.token().getClass().getSimpleName() + " "
                                + passed.token().decidedBy()
                        : message.getClass().getSimpleName();
            }

            @Override
            public boolean isElecting(RingState state) {
                return state.electionEndsAtNanos() != Step.NEVER;
            }
        };
    }
}
