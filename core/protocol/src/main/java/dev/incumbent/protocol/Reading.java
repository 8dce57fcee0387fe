package dev.incumbent.protocol;

import dev.incumbent.model.EndReason;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import dev.incumbent.model.Role;
import java.util.Optional;

/** What the record tells: it settles uncertain swaps, proves a term or ends it, and wakes candidates. */
final class Reading {
    private Reading() {}

    /** A read was answered, or a refused swap showed the record. It speaks only of what was so after it was sent. */
    static void observed(Draft draft, ObservedRecord told, long sentAt) {
        draft.known = draft.known.reading(false, draft.known.questions().readWanted());
        if (draft.attempt
                .filter(a -> a.isUncertain() && sentAt >= a.uncertainAtNanos())
                .isPresent()) {
            Swapping.settle(draft, told, sentAt);
        }
        if (draft.memory
                        .unsettled()
                        .on()
                        .filter(on -> !on.equals(told.revision()))
                        .isPresent()
                && sentAt >= draft.memory.unsettled().atNanos()) {
            draft.memory = draft.memory.unsettledOn(Optional.empty(), Step.NEVER);
        }
        if (sentAt >= draft.known.speaksFromNanos()) {
            draft.told(told);
            prove(draft, sentAt);
        }
    }

    /** The record as last told either proves the term held as of {@code sentAt}, or ends it. */
    static void prove(Draft draft, long sentAt) {
        if (draft.role != Role.FENCING && draft.role != Role.LEADER) {
            return;
        }
        LeaderRecord record = draft.record();
        if (!draft.namesMyTerm(record)) {
            draft.end(EndReason.SUPERSEDED);
        } else if (!draft.unknown(record).isEmpty()) {
            draft.end(EndReason.SUPERSEDED);
        } else if (record.isFrozen()) {
            draft.end(EndReason.FROZEN, true);
        } else {
            draft.tenure = Optional.of(draft.held().proven(sentAt));
        }
    }

    /** Asked again at once, since a term may rest on it; where that fails, too, after half a request timeout. */
    static void unread(Draft draft) {
        long timeout = draft.setup.timing().requestTimeout().toNanos();
        boolean again = draft.now.nanos() <= draft.known.notBefore().readAtNanos() + timeout
                && draft.known.notBefore().readAtNanos()
                        != Known.NOTHING.notBefore().readAtNanos();
        long wait = again ? timeout / 2 : 0;
        draft.known = draft.known.reading(false, true).readsAt(draft.now.nanos() + wait);
    }

    /** The watch only wakes, and may lag: whoever holds or awaits a term, or is named, looks for itself; who merely stands takes its word. */
    static void changed(Draft draft, ObservedRecord told) {
        Optional<Revision> revision = Optional.of(told.revision());
        boolean news = !draft.known.observed().map(ObservedRecord::revision).equals(revision)
                && !draft.known.watched().equals(revision);
        boolean names = told.record()
                .leader()
                .filter(leader -> leader.id().equals(draft.me()))
                .isPresent();
        draft.known = draft.known.watched(told);
        if (draft.tenure.isEmpty() && draft.attempt.isEmpty() && !names) {
            draft.told(told);
        } else if (news) {
            draft.wantRead();
        }
    }

    /** What the watch told last is current: a proof where that is the record we know. */
    static void proved(Draft draft, long sentAt) {
        boolean same = draft.known.observed().map(ObservedRecord::revision).equals(draft.known.watched());
        if (same && sentAt >= draft.known.speaksFromNanos()) {
            prove(draft, sentAt);
        }
    }

    /** Reads, where something was told that only a read can settle. */
    static void pursue(Draft draft) {
        boolean wanted = draft.known.questions().readWanted()
                || draft.attempt.filter(Attempt::isUncertain).isPresent();
        if (wanted
                && !draft.known.questions().reading()
                && draft.isDue(draft.known.notBefore().readAtNanos())) {
            draft.emit(new Effect.ReadRecord());
            draft.known = draft.known.reading(true, false);
        }
    }
}
