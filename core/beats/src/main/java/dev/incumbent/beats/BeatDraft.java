package dev.incumbent.beats;

import dev.incumbent.beats.BeatState.Dialling;
import dev.incumbent.beats.BeatState.Doubt;
import dev.incumbent.beats.BeatState.Ear;
import dev.incumbent.model.CandidateId;
import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** One step in the making. Lives for one step. */
final class BeatDraft {
    final Peer me;
    final Rhythm rhythm;
    final long now;
    final Map<CandidateId, Link> links;
    final Map<CandidateId, Dialling> dials;
    final Map<CandidateId, Doubt> doubts;
    Announcement own;
    Map<CandidateId, String> leaders;
    Ear ear;
    private final List<BeatEffect> effects = new ArrayList<>();
    private long wakeAt = Step.NEVER;

    BeatDraft(Peer me, Rhythm rhythm, BeatState state, Moment moment) {
        this.me = me;
        this.rhythm = rhythm;
        this.now = moment.nanos();
        this.own = state.own();
        this.leaders = state.leaders();
        this.links = new TreeMap<>(state.links());
        this.dials = new TreeMap<>(state.dials());
        this.doubts = new TreeMap<>(state.doubts());
        this.ear = state.ear();
    }

    Step<BeatState, BeatEffect> step() {
        return new Step<>(new BeatState(own, leaders, links, dials, doubts, ear), effects, wakeAt);
    }

    void emit(BeatEffect effect) {
        effects.add(effect);
    }

    void send(Link link, Message message) {
        emit(new BeatEffect.Send(link.connection(), message));
    }

    /** Wakes the machine at that time, if nothing earlier does. */
    boolean isDue(long at) {
        if (at > now) {
            wakeAt = Math.min(wakeAt, at);
        }
        return now >= at;
    }

    void put(Link link) {
        links.put(link.peer().id(), link);
    }

    /** The link of an open connection. */
    Optional<Link> of(long connection) {
        return links.values().stream()
                .filter(link -> link.open() && link.connection() == connection)
                .findFirst();
    }
}
