package dev.incumbent.peers;

import dev.incumbent.peers.ring.RingForm;
import dev.incumbent.peers.ring.RingMessage;
import dev.incumbent.peers.ring.RingProtocol;
import dev.incumbent.peers.ring.RingState;
import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.Step;
import java.util.List;
import java.util.Optional;

/** A ring on a stage. */
final class PlayedRing implements PlayedProtocol<RingState, PeerEvent<RingMessage>, PeerEffect<RingMessage>> {
    private final RingForm form;

    PlayedRing(RingForm form) {
        this.form = form;
    }

    @Override
    public RingState start() {
        return RingState.START;
    }

    @Override
    public Step<RingState, PeerEffect<RingMessage>> step(
            PeerGroup group, RingState state, PeerEvent<RingMessage> event, Moment now, long dice) {
        return new RingProtocol(group, Stages.PEER_TIMING, form).step(state, event, now);
    }

    @Override
    public PeerEvent<RingMessage> received(MemberId from, Object message) {
        return new PeerEvent.Received<>(from, (RingMessage) message);
    }

    @Override
    public PeerEvent<RingMessage> event(MemberId who, String[] words) {
        return Stages.event(words[0]);
    }

    @Override
    public Optional<Letter> letter(MemberId from, PeerEffect<RingMessage> effect) {
        return Stages.letter(from, effect);
    }

    @Override
    public List<PeerEvent<RingMessage>> beginnings() {
        return List.of(new PeerEvent.Started<>());
    }

    @Override
    public String line(RingState state) {
        return state.phase()
                + state.leader().map(leader -> " of " + leader).orElse("")
                + (state.electionEndsAtNanos() == Step.NEVER ? "" : ", electing")
                + (state.dead().isEmpty() ? "" : " without " + state.dead());
    }
}
