package dev.incumbent.protocol;

import dev.incumbent.model.CandidateId;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.Role;
import dev.incumbent.protocol.Bounds.Fault;
import dev.incumbent.protocol.World.Peer;
import dev.incumbent.protocol.Worlds.Happening;
import java.util.Optional;

/** What a process may hear, and suspect, of the leader. */
final class Doubts {
    private Doubts() {}

    /** It hears a leader, or not, and then suspects it: the leader that it knows of, or one that it has not been told of yet. */
    static void about(Happening happening, int i, String name) {
        Peer peer = happening.world.peers().get(i).value();
        LeaderRecord record = happening.world.store().value().record();
        if (peer.state().role() != Role.CANDIDATE || record.leader().isEmpty()) {
            return;
        }
        CandidateId leader = record.leader().get().id();
        long term = record.term();
        happening.fault(
                Fault.SUSPECT,
                () -> name + " suspects " + term + " unheard",
                then -> then.step(i, new Event.LeaderSuspected(leader, term)));
        happening.fault(Fault.SUSPECT, () -> name + " hears and suspects " + term, then -> {
            then.step(i, new Event.LeaderHeard(leader, term));
            then.step(i, new Event.LeaderSuspected(leader, term));
        });
        if (peer.state().known().suspicion(leader).isPresent()) {
            happening.to(
                    () -> name + " hears " + term + " again",
                    then -> then.step(i, new Event.LeaderHeard(leader, term)));
        }
    }

    /** A watch that tells what is known changes nothing, and what it tells a leader is covered by the proofs, which may be read at any moment. */
    static boolean isNews(Peer peer, TinyStore store) {
        ElectionState state = peer.state();
        return state.tenure().isEmpty()
                && state.attempt().isEmpty()
                && !state.known().observed().equals(Optional.of(store.observed()));
    }
}
