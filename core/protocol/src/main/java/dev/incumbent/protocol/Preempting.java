package dev.incumbent.protocol;

import dev.incumbent.model.CandidateId;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.model.SinkId;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * What a suspicion of the leader is worth: with it a candidate may claim in its turn although the lease lives. Only where the record names sinks, whose marks make a
 * mistake harmless; only a leader that this process has itself heard in this very term, since two halves that never heard each other would preempt each other for ever; and
 * only once all sinks have told their marks, since whoever cannot raise them would end a term and begin none.
 */
final class Preempting {
    private Preempting() {}

    /** It is there: what was suspected of it in this term is over. */
    static void heard(Draft draft, CandidateId leader, long term) {
        Heard heard = draft.memory.terms().heard();
        draft.memory = draft.memory.heard(heard.by(leader, term, draft.record().term()));
        end(draft, one -> one.leader().equals(leader) && one.term() == term);
    }

    /** Kept until the record shows that term, which may come later than the suspicion of its leader. */
    static void suspected(Draft draft, CandidateId leader, long term) {
        end(draft, one -> draft.now.nanos() >= endsAt(draft, one));
        boolean isHeard = draft.memory.terms().heard().is(leader, term);
        boolean isKnown =
                draft.known.suspicion(leader).filter(one -> one.term() == term).isPresent();
        if (isHeard && !isKnown && draft.record().term() <= term) {
            draft.known = draft.known.suspecting(Suspicion.of(leader, term, draft.now.nanos()));
        }
    }

    /** Is the leader of the record suspected, and may it be preempted? A suspicion that came to nothing within a third of a lease is over. */
    static boolean isDoubted(Draft draft) {
        Optional<Suspicion> doubt = draft.known.doubt();
        if (doubt.isEmpty()) {
            return false;
        }
        if (draft.record().sinks().isEmpty() || draft.isDue(endsAt(draft, doubt.get()))) {
            draft.known = draft.known.trusting(doubt.get());
            return false;
        }
        return true;
    }

    private static long endsAt(Draft draft, Suspicion suspicion) {
        return suspicion.sinceNanos() + draft.setup.timing().renewEvery().toNanos();
    }

    /** Asks each sink that has not told its mark since. */
    static boolean reachesAllSinks(Draft draft) {
        Set<SinkId> lacking = new TreeSet<>(draft.setup.sinks().keySet());
        lacking.removeAll(draft.known.doubt().orElseThrow().reached());
        for (SinkId sink : lacking) {
            if (!draft.known.questions().marks().contains(sink)) {
                draft.emit(new Effect.ReadMark(sink));
                draft.known = draft.known.readingMark(sink, true);
            }
        }
        return lacking.isEmpty();
    }

    /** A sink has told its mark; one that somebody froze lets nobody in. */
    static void read(Draft draft, SinkId sink, Optional<Mark> mark, long sentAt) {
        draft.known = draft.known.readingMark(sink, false).reached(sink, sentAt);
        if (mark.filter(m -> m.owner() instanceof MarkOwner.OfFreeze).isPresent()) {
            end(draft, one -> sentAt >= one.sinceNanos());
        }
    }

    /** A sink was not reached: then the lease is waited for, as without a suspicion. */
    static void unread(Draft draft, SinkId sink, long sentAt) {
        draft.known = draft.known.readingMark(sink, false);
        end(draft, one -> sentAt >= one.sinceNanos());
    }

    private static void end(Draft draft, Predicate<Suspicion> which) {
        for (Suspicion one : draft.known.vacancy().suspicions().values()) {
            if (which.test(one)) {
                draft.known = draft.known.trusting(one);
            }
        }
    }
}
