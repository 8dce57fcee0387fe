package dev.incumbent.beats;

import dev.incumbent.beats.Link.Sent;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What this process says of itself: its announcement, in changes of which one at a time is under way on a connection, and its beats. */
final class Telling {
    private Telling() {}

    static void leads(BeatDraft draft, Map<ElectionName, Long> terms) {
        announce(draft, terms);
    }

    static void acknowledged(BeatDraft draft, Link link, long generation) {
        if (link.sent().last().generation() == generation) {
            draft.put(link.sent(new Sent(link.sent().sequence(), link.sent().last(), true)));
        }
    }

    static void pursue(BeatDraft draft) {
        announce(draft, draft.own.terms());
        List<Link> open = draft.links.values().stream().filter(Link::open).toList();
        open.forEach(link -> draft.put(tell(draft, link)));
        if (open.isEmpty()) {
            draft.ear = draft.ear.beatsAt(Long.MIN_VALUE);
        } else if (draft.isDue(draft.ear.beatsAtNanos())) {
            open.forEach(link -> beat(draft, link.peer().id()));
            draft.ear = draft.ear.beatsAt(draft.now + draft.rhythm.beatNanos());
            draft.isDue(draft.ear.beatsAtNanos());
        }
    }

    private static void announce(BeatDraft draft, Map<ElectionName, Long> terms) {
        Map<CandidateId, String> listeners = new TreeMap<>();
        draft.links.values().stream()
                .filter(Link::open)
                .forEach(link -> listeners.put(link.peer().id(), link.peer().address()));
        if (!draft.own.says(terms, listeners)) {
            draft.own = draft.own.next(terms, listeners);
        }
    }

    private static Link tell(BeatDraft draft, Link link) {
        Sent sent = link.sent();
        if (!sent.acknowledged() || sent.last().generation() == draft.own.generation()) {
            return link;
        }
        draft.send(link, sent.last().changeTo(draft.own));
        return link.sent(new Sent(sent.sequence(), draft.own, false));
    }

    /** The next is due one beat after this one, however late it is. */
    private static void beat(BeatDraft draft, CandidateId to) {
        draft.links.computeIfPresent(to, (id, link) -> {
            Sent sent = link.sent();
            Message.Beat beat =
                    new Message.Beat(sent.sequence() + 1, sent.last().generation());
            draft.send(link, beat);
            return link.sent(new Sent(beat.sequence(), sent.last(), sent.acknowledged()));
        });
    }
}
