package dev.incumbent.beats;

import dev.incumbent.beats.BeatState.Dialling;
import dev.incumbent.model.CandidateId;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which connections this process has: one to each leader that it follows, and one to each listener of such a leader; for a while also to one that led, or claimed, and whose connection has ended: what it claimed may be told to this process later than its end.
 */
final class Linking {
    /** A connection on which nothing was heard for so many beats is ended, so that the other end is dialled anew. */
    private static final int ABANDONED = 100;

    /** A dial that failed is tried again after two beats, doubling to so many. */
    private static final int LONGEST_WAIT = 64;

    /** A process that the other one should dial is dialled after so many beats: the other one may not know of it. */
    private static final int PATIENT = 2;

    /** A connection on which fewer beats were heard is not made anew at once: it may end again in the same way. */
    private static final int LIVED = 3;

    private static final int BETWEEN_SHORT_ONES = 4;

    private Linking() {}

    static void pursue(BeatDraft draft) {
        abandon(draft);
        Map<CandidateId, String> wanted = wanted(draft);
        draft.dials.keySet().retainAll(wanted.keySet());
        draft.links
                .values()
                .removeIf(
                        link -> !link.open() && !wanted.containsKey(link.peer().id()));
        draft.doubts.keySet().retainAll(draft.links.keySet());
        wanted.forEach((id, address) -> dial(draft, new Peer(id, address)));
    }

    private static Map<CandidateId, String> wanted(BeatDraft draft) {
        Map<CandidateId, String> wanted = new TreeMap<>();
        for (CandidateId leader : draft.leaders.keySet()) {
            Link link = draft.links.get(leader);
            if (link != null) {
                wanted.putAll(link.told().listeners());
            }
        }
        draft.links.values().stream()
                .filter(link -> isMissed(draft, link))
                .forEach(link -> wanted.put(link.peer().id(), link.peer().address()));
        wanted.putAll(draft.leaders);
        wanted.remove(draft.me.id());
        return wanted;
    }

    /** It led or claimed, its connection has ended, and nobody has said yet that it is gone. */
    private static boolean isMissed(BeatDraft draft, Link link) {
        return !link.open()
                && link.leads()
                && !Suspecting.isSuspected(draft, link)
                && draft.now - link.heard().atNanos() < ABANDONED * draft.rhythm.beatNanos();
    }

    /** Of two processes of which none follows the other, the smaller one dials, and the other one if that does not come. */
    private static boolean yields(BeatDraft draft, Peer peer) {
        return draft.me.id().compareTo(peer.id()) > 0
                && !draft.leaders.containsKey(peer.id())
                && !draft.links.containsKey(peer.id());
    }

    private static void dial(BeatDraft draft, Peer peer) {
        Link link = draft.links.get(peer.id());
        if (link != null && link.open()) {
            return;
        }
        Dialling first =
                yields(draft, peer) ? Dialling.at(draft.now + PATIENT * draft.rhythm.beatNanos()) : Dialling.NOW;
        Dialling dialling = draft.dials.getOrDefault(peer.id(), first);
        if (!dialling.underWay() && draft.isDue(dialling.notBeforeNanos())) {
            draft.emit(new BeatEffect.Dial(peer));
            dialling = new Dialling(true, dialling.notBeforeNanos(), dialling.failures());
        }
        draft.dials.put(peer.id(), dialling);
    }

    /** One connection a pair. Of two, both ends keep the one that the smaller process has dialled; of two by the same process, the later. */
    static void connected(BeatDraft draft, BeatEvent.Connected event) {
        if (event.peer().id().equals(draft.me.id())) {
            draft.emit(new BeatEffect.Drop(event.connection()));
            return;
        }
        draft.dials.remove(event.peer().id());
        Link next = Link.opened(event.connection(), event.peer(), event.dialled(), draft.now);
        Link before = draft.links.get(event.peer().id());
        if (before != null && before.open()) {
            boolean keepsBefore = before.dialled() != event.dialled()
                    && before.dialled() == draft.me.id().compareTo(event.peer().id()) < 0;
            sayGoodbye(draft, keepsBefore ? next : before);
            if (keepsBefore) {
                return;
            }
        }
        draft.put(next);
    }

    /** Ended without a goodbye: what was heard stays known, and the other end is dialled at once, unless it ended as soon as it was made. */
    static void ended(BeatDraft draft, Link link) {
        draft.put(link.ended());
        draft.dials.remove(link.peer().id());
        if (link.heard().sequence() < LIVED) {
            draft.dials.put(link.peer().id(), Dialling.at(draft.now + BETWEEN_SHORT_ONES * draft.rhythm.beatNanos()));
        }
    }

    static void unreached(BeatDraft draft, Peer peer, boolean refused) {
        int failures = draft.dials.getOrDefault(peer.id(), Dialling.NOW).failures() + 1;
        long wait = draft.rhythm.beatNanos() * Math.min(1L << Math.min(failures, 10), LONGEST_WAIT);
        draft.dials.put(peer.id(), new Dialling(false, draft.now + wait, failures));
        Link link = draft.links.get(peer.id());
        if (refused && link != null && !link.open() && link.leads()) {
            Suspecting.gone(draft, link);
        }
    }

    /** It said goodbye: it is not missed. */
    static void left(BeatDraft draft, Link link) {
        draft.emit(new BeatEffect.Drop(link.connection()));
        draft.links.remove(link.peer().id());
    }

    static void sayGoodbye(BeatDraft draft, Link link) {
        draft.send(link, new Message.Goodbye());
        draft.emit(new BeatEffect.Drop(link.connection()));
    }

    static void drop(BeatDraft draft, Link link) {
        draft.emit(new BeatEffect.Drop(link.connection()));
        ended(draft, link);
    }

    private static void abandon(BeatDraft draft) {
        for (Link link : List.copyOf(draft.links.values())) {
            long from = Math.max(link.heard().atNanos(), draft.ear.listensSinceNanos());
            if (link.open() && draft.now - from >= ABANDONED * draft.rhythm.beatNanos()) {
                drop(draft, link);
            }
        }
    }
}
