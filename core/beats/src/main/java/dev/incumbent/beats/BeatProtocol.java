package dev.incumbent.beats;

import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.Step;
import java.util.Map;

/**
 * How the processes of some elections hear each other, as a pure machine: one for a process, whatever the number of its elections.
 *
 * <p>Each process keeps one connection to each leader that it follows, and one to each other process that this leader tells of. Both ends of a connection beat. A
 * beat stands for all terms that its sender has announced, so that ten thousand elections cost a pair of processes what one does.
 *
 * <p>A leader whose connection ends without a goodbye is dialled once more: if its host refuses, it is gone. A leader that is silent is suspected once a majority of
 * those on its own last list does not hear it either. Silence counts only while this process itself has listened, and has not lost most of its other
 * connections. A wrong suspicion costs a term, and never a write: whoever preempts has raised the sinks first. Holds no state.
 *
 * <p>Follows the failure detectors of Chandra and Toueg (unreliable, and used only where a mistake is harmless), and SWIM's indirect probes.
 */
public final class BeatProtocol {
    private final Peer me;
    private final Rhythm rhythm;

    public BeatProtocol(Peer me, Rhythm rhythm) {
        this.me = me;
        this.rhythm = rhythm;
    }

    /** Takes one event at one moment; moments never go back. */
    public Step<BeatState, BeatEffect> step(BeatState state, BeatEvent event, Moment now) {
        BeatDraft draft = new BeatDraft(me, rhythm, state, now);
        listen(draft, event);
        take(draft, event);
        Linking.pursue(draft);
        Telling.pursue(draft);
        Suspecting.pursue(draft);
        return draft.step();
    }

    /**
     * A process that has read nothing for two beats was paused, or too busy: it has heard nobody meanwhile, and counts silences from now. What the connections tell, and
     * their alarm, shows that it reads; what its own elections tell does not.
     */
    private static void listen(BeatDraft draft, BeatEvent event) {
        boolean late = draft.now - draft.ear.readAtNanos() >= 2 * draft.rhythm.beatNanos();
        boolean reads = !(event instanceof BeatEvent.Leads
                || event instanceof BeatEvent.Follows
                || event instanceof BeatEvent.Stands);
        draft.ear = draft.ear.read(
                reads ? draft.now : draft.ear.readAtNanos(), late ? draft.now : draft.ear.listensSinceNanos());
    }

    private static void take(BeatDraft draft, BeatEvent event) {
        if (event instanceof BeatEvent.Leads e) {
            Telling.leads(draft, e.terms());
        } else if (event instanceof BeatEvent.Follows e) {
            draft.leaders = e.leaders();
        } else if (event instanceof BeatEvent.Stands e) {
            Hearing.recall(draft, e.election());
        } else if (event instanceof BeatEvent.Connected e) {
            Linking.connected(draft, e);
        } else if (event instanceof BeatEvent.Disconnected e) {
            draft.of(e.connection()).ifPresent(link -> Linking.ended(draft, link));
        } else if (event instanceof BeatEvent.Unreached e) {
            Linking.unreached(draft, e.peer(), e.refused());
        } else if (event instanceof BeatEvent.Received e) {
            draft.of(e.connection()).ifPresent(link -> received(draft, link, e.message()));
        } else if (event instanceof BeatEvent.Closing) {
            draft.leaders = Map.of();
            draft.links.values().stream().filter(Link::open).forEach(link -> Linking.sayGoodbye(draft, link));
            draft.links.clear();
        }
    }

    private static void received(BeatDraft draft, Link link, Message message) {
        if (message instanceof Message.Beat beat) {
            Hearing.beat(draft, link, beat);
        } else if (message instanceof Message.Change change) {
            Hearing.change(draft, link, change);
        } else if (message instanceof Message.Acknowledged acknowledged) {
            Telling.acknowledged(draft, link, acknowledged.generation());
        } else if (message instanceof Message.Question question) {
            Suspecting.asked(draft, link, question);
        } else if (message instanceof Message.Vote vote) {
            Suspecting.voted(draft, link, vote);
        } else {
            Linking.left(draft, link);
        }
    }
}
