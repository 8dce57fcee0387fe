package dev.incumbent.beats;

import dev.incumbent.beats.BeatState.Doubt;
import dev.incumbent.beats.Link.Heard;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import java.util.Map;
import java.util.Optional;

/** What another process says of itself, and whether it is silent. */
final class Hearing {
    /** Heard again within so many beats, a suspected process was not gone. */
    private static final int SOON = 20;

    private static final int MOST_PATIENCE = 16;

    private Hearing() {}

    /** A beat counts once, in its turn, and only beside the announcement that it names. */
    static void beat(BeatDraft draft, Link link, Message.Beat beat) {
        Heard before = link.heard();
        if (beat.sequence() <= before.sequence()
                || beat.generation() != link.told().generation()) {
            return;
        }
        boolean listened = before.sequence() > 0 && before.atNanos() >= draft.ear.listensSinceNanos();
        draft.put(link.heard(before.beat(beat.sequence(), draft.now, draft.rhythm, listened)));
        alive(draft, link);
    }

    /** Another announcement; one that does not follow the last is not understood, and a new connection begins anew. */
    static void change(BeatDraft draft, Link link, Message.Change change) {
        if (change.from() != link.told().generation() || change.to() <= change.from()) {
            Linking.drop(draft, link);
            return;
        }
        Link told = link.told(link.told().changedBy(change));
        draft.put(told);
        draft.send(told, new Message.Acknowledged(change.to()));
        hear(draft, told.peer().id(), change.terms());
    }

    /** It is there: nobody doubts it any more. */
    static void alive(BeatDraft draft, Link link) {
        CandidateId id = link.peer().id();
        Optional<Long> suspected = Optional.ofNullable(draft.doubts.remove(id)).flatMap(Doubt::suspectedAtNanos);
        if (suspected.isPresent()) {
            hear(draft, id, link.told().terms());
            if (draft.now - suspected.get() <= SOON * draft.rhythm.beatNanos()) {
                mistaken(draft, id);
            }
        }
    }

    /** Whoever was heard to lead that election. */
    static void recall(BeatDraft draft, ElectionName election) {
        for (Link link : draft.links.values()) {
            Long term = link.told().terms().get(election);
            if (link.open() && term != null) {
                hear(draft, link.peer().id(), Map.of(election, term));
            }
        }
    }

    private static void hear(BeatDraft draft, CandidateId leader, Map<ElectionName, Long> terms) {
        if (!terms.isEmpty()) {
            draft.emit(new BeatEffect.Hear(leader, terms));
        }
    }

    private static void mistaken(BeatDraft draft, CandidateId leader) {
        int patience = Math.min(draft.ear.patience() * 2, MOST_PATIENCE);
        draft.ear = draft.ear.patience(patience, draft.now);
        draft.emit(new BeatEffect.TellMistake(leader, patience));
    }

    /** From when on that process is silent, unless it is heard: counted from its last beat, or from when this process began to listen. */
    static long silentAt(BeatDraft draft, Link link) {
        long from = Math.max(link.heard().atNanos(), draft.ear.listensSinceNanos());
        return from + draft.rhythm.silentAfterNanos(link.heard().deviationNanos(), draft.ear.patience());
    }

    static boolean isSilent(BeatDraft draft, Link link) {
        return draft.now >= silentAt(draft, link);
    }
}
