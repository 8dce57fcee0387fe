package dev.incumbent.peers;

import dev.incumbent.peers.bully.BullyMessage;
import dev.incumbent.peers.bully.BullyProtocol;
import dev.incumbent.peers.bully.BullyState;
import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.Step;
import java.util.List;
import java.util.Optional;

/** The bully on a stage. */
final class PlayedBully implements PlayedProtocol<BullyState, PeerEvent<BullyMessage>, PeerEffect<BullyMessage>> {
    @Override
    public BullyState start() {
        return BullyState.START;
    }

    @Override
    public Step<BullyState, PeerEffect<BullyMessage>> step(
            PeerGroup group, BullyState state, PeerEvent<BullyMessage> event, Moment now, long dice) {
        return new BullyProtocol(group, Stages.PEER_TIMING).step(state, event, now);
    }

    @Override
    public PeerEvent<BullyMessage> received(MemberId from, Object message) {
        return new PeerEvent.Received<>(from, (BullyMessage) message);
    }

    @Override
    public PeerEvent<BullyMessage> event(MemberId who, String[] words) {
        return Stages.event(words[0]);
    }

    @Override
    public Optional<Letter> letter(MemberId from, PeerEffect<BullyMessage> effect) {
        return Stages.letter(from, effect);
    }

    @Override
    public List<PeerEvent<BullyMessage>> beginnings() {
        return List.of(new PeerEvent.Started<>());
    }

    @Override
    public String line(BullyState state) {
        return state.phase() + state.leader().map(leader -> " of " + leader).orElse("");
    }
}
