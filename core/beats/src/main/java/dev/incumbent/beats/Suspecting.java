package dev.incumbent.beats;

import dev.incumbent.beats.BeatState.Doubt;
import dev.incumbent.model.CandidateId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** When a leader that was heard is suspected: once its host says that it is gone, or once a majority of its listeners does not hear it. */
final class Suspecting {
    /** Patience is halved after so many beats without a mistake: ten minutes at the usual rhythm. */
    private static final int FORGIVEN = 12_000;

    private Suspecting() {}

    static void pursue(BeatDraft draft) {
        if (draft.ear.patience() > 1
                && draft.now - draft.ear.mistakenAtNanos() >= FORGIVEN * draft.rhythm.beatNanos()) {
            draft.ear = draft.ear.patience(draft.ear.patience() / 2, draft.now);
        }
        for (Link link : List.copyOf(draft.links.values())) {
            if (link.leads()
                    && draft.leaders.containsKey(link.peer().id())
                    && draft.isDue(Hearing.silentAt(draft, link))) {
                doubt(draft, link);
            }
        }
    }

    /** Its host says that nobody listens there: no vote is needed, only connections of one's own. */
    static void gone(BeatDraft draft, Link link) {
        if (!isSuspected(draft, link) && hearsMost(draft, others(draft, link), Long.MIN_VALUE)) {
            suspect(draft, link, BeatEffect.Reason.GONE);
        }
    }

    /** Asks the other listeners at each beat. */
    private static void doubt(BeatDraft draft, Link link) {
        if (isSuspected(draft, link) || !hearsMostSince(draft, link)) {
            return;
        }
        CandidateId id = link.peer().id();
        Doubt doubt = draft.doubts.getOrDefault(id, Doubt.NONE);
        if (draft.isDue(doubt.askedAtNanos() + draft.rhythm.beatNanos())) {
            doubt = new Doubt(draft.now, doubt.votes(), Optional.empty());
            draft.doubts.put(id, doubt);
            others(draft, link).forEach(other -> ask(draft, other, link));
        }
        count(draft, link, doubt.votes());
    }

    private static void ask(BeatDraft draft, CandidateId other, Link about) {
        Link link = draft.links.get(other);
        if (link != null && link.open()) {
            draft.send(
                    link,
                    new Message.Question(
                            draft.now, about.peer().id(), about.told().generation()));
        }
    }

    /** Confirms only what this process has itself heard and misses now. */
    static void asked(BeatDraft draft, Link asker, Message.Question question) {
        Link about = draft.links.get(question.about());
        if (about != null
                && about.leads()
                && about.told().generation() >= question.generation()
                && Hearing.isSilent(draft, about)
                && hearsMostSince(draft, about)) {
            draft.send(asker, new Message.Vote(question.askedAtNanos(), question.about()));
        }
    }

    static void voted(BeatDraft draft, Link voter, Message.Vote vote) {
        Doubt doubt = draft.doubts.get(vote.about());
        if (doubt != null && vote.askedAtNanos() <= draft.now) {
            Map<CandidateId, Long> votes = new TreeMap<>(doubt.votes());
            votes.merge(voter.peer().id(), vote.askedAtNanos(), Math::max);
            draft.doubts.put(vote.about(), new Doubt(doubt.askedAtNanos(), votes, doubt.suspectedAtNanos()));
        }
    }

    /**
     * A majority of the leader's last list, this process included; of a list of one only where that is allowed. A vote counts for as long as a silence takes after its
     * question was sent.
     */
    private static void count(BeatDraft draft, Link link, Map<CandidateId, Long> votes) {
        Set<CandidateId> listeners = link.told().listeners().keySet();
        long since = draft.now - draft.rhythm.silentBeats() * draft.rhythm.beatNanos();
        long silent = votes.entrySet().stream()
                .filter(vote -> vote.getValue() >= since && listeners.contains(vote.getKey()))
                .count();
        boolean listed = listeners.contains(draft.me.id());
        boolean alone = listeners.size() == 1;
        if (listed && (alone ? draft.rhythm.alone() : 2 * (silent + 1) > listeners.size())) {
            suspect(draft, link, BeatEffect.Reason.SILENT);
        }
    }

    private static void suspect(BeatDraft draft, Link link, BeatEffect.Reason reason) {
        CandidateId id = link.peer().id();
        draft.doubts.put(id, new Doubt(draft.now, Map.of(), Optional.of(draft.now)));
        draft.emit(new BeatEffect.Suspect(id, link.told().terms(), reason));
    }

    static boolean isSuspected(BeatDraft draft, Link link) {
        Doubt doubt = draft.doubts.getOrDefault(link.peer().id(), Doubt.NONE);
        return doubt.suspectedAtNanos().isPresent();
    }

    /** Does it hear the others at least a beat longer than the leader? A cut that takes all connections at once takes them within a beat. */
    private static boolean hearsMostSince(BeatDraft draft, Link about) {
        return hearsMost(draft, others(draft, about), about.heard().atNanos() + draft.rhythm.beatNanos());
    }

    /** Does this process hear at least half of those, and has heard them since then? Whoever does not may be the one that is cut off. */
    private static boolean hearsMost(BeatDraft draft, Set<CandidateId> others, long since) {
        long heard = others.stream()
                .map(draft.links::get)
                .filter(link -> link != null
                        && link.open()
                        && link.heard().atNanos() >= since
                        && !Hearing.isSilent(draft, link))
                .count();
        return 2 * heard >= others.size();
    }

    private static Set<CandidateId> others(BeatDraft draft, Link about) {
        Set<CandidateId> others = new TreeSet<>(about.told().listeners().keySet());
        others.remove(draft.me.id());
        return others;
    }
}
