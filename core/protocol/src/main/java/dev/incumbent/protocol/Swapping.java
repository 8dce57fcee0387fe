package dev.incumbent.protocol;

import dev.incumbent.model.CandidateId;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import dev.incumbent.model.Role;
import dev.incumbent.model.Term;
import java.util.Optional;
import java.util.Set;

/** How the one swap under way ends: accepted, refused, or uncertain until a read that was sent later settles it. */
final class Swapping {
    private Swapping() {}

    static void accepted(Draft draft, String nonce, Revision revision) {
        Optional<Attempt> mine = draft.attempt.filter(a -> a.nonce().equals(nonce));
        if (mine.isPresent()) {
            boolean alive = mine.get().next().leader().isPresent();
            ObservedRecord written = new ObservedRecord(mine.get().next(), revision, alive, Optional.empty());
            applied(draft, mine.get(), written, mine.get().sentAtNanos());
        }
    }

    /** A refusal shows the record, and that is a reading; bearing my own nonce, it is none: an earlier sending had won. */
    static void refused(Draft draft, String nonce, Optional<ObservedRecord> current) {
        Optional<Attempt> mine = draft.attempt.filter(a -> a.nonce().equals(nonce));
        if (mine.isEmpty()) {
            return;
        }
        if (current.isEmpty()) {
            uncertain(draft, nonce);
            return;
        }
        draft.attempt = Optional.of(mine.get().uncertain(mine.get().sentAtNanos()));
        boolean reading = draft.known.questions().reading();
        Reading.observed(draft, current.get(), mine.get().sentAtNanos());
        draft.known = draft.known.reading(reading, draft.known.questions().readWanted());
    }

    static void uncertain(Draft draft, String nonce) {
        draft.attempt = draft.attempt.map(a -> a.nonce().equals(nonce) ? a.uncertain(draft.now.nanos()) : a);
    }

    /** It will never apply: forgotten at once, and tried again a little later. */
    static void failed(Draft draft, String nonce) {
        if (draft.attempt.filter(a -> a.nonce().equals(nonce)).isPresent()) {
            draft.attempt = Optional.empty();
            draft.known = draft.known.swapsAt(ElectionProtocol.later(draft)).wantsRead();
        }
    }

    /**
     * The record is mine if it bears this attempt's nonce, and for a claim my id and my current lease. Anything else: not won, and forgotten; where it may
     * still land, the next swap waits a little, lest a store that answers reads alone be asked without a pause.
     */
    static void settle(Draft draft, ObservedRecord told, long sentAt) {
        Attempt mine = draft.attempt.orElseThrow();
        if (told.record().nonce().equals(mine.nonce())) {
            applied(draft, mine, told, sentAt);
            return;
        }
        draft.attempt = Optional.empty();
        boolean mayLand = told.revision().equals(mine.expected());
        if (mayLand) {
            draft.known = draft.known.swapsAt(ElectionProtocol.later(draft));
        }
        draft.memory =
                draft.memory.unsettledOn(mayLand ? Optional.of(mine.expected()) : Optional.empty(), draft.now.nanos());
    }

    private static void applied(Draft draft, Attempt mine, ObservedRecord written, long sentAt) {
        draft.attempt = Optional.empty();
        draft.told(written);
        draft.known = draft.known.speaksFrom(draft.now.nanos());
        switch (mine.kind()) {
            case CLAIM -> won(draft, written.record(), sentAt);
            case ADD_SINKS, CLEAR_REQUEST, ADD_FEATURES, NOTE_MOVE, SETTLE_HOLDERS -> Reading.prove(draft, sentAt);
            case VACATE -> Resigning.vacated(draft);
            case DISOWN -> {}
        }
    }

    /** Who is unwell by now, or stands no longer, has won a term that it does not hold, and disowns it. */
    private static void won(Draft draft, LeaderRecord record, long sentAt) {
        draft.memory = draft.memory.won(record.term());
        CandidateId me = draft.me();
        boolean mine = record.names(me, record.term())
                && draft.lease
                        .filter(held -> record.lease().equals(Optional.of(held.id())))
                        .isPresent();
        if (mine && draft.role == Role.CANDIDATE && draft.standing.well()) {
            Term term = new Term(draft.setup.election(), record.term(), draft.setup.candidate());
            draft.tenure = Optional.of(Tenure.won(term, record.lease().orElseThrow(), draft.now.nanos(), sentAt));
            draft.become(Role.FENCING, Set.of(Role.CANDIDATE));
            draft.tell(new Notice.Won(record.term()));
        }
    }
}
