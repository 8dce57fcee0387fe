package dev.incumbent.protocol;

import dev.incumbent.model.CandidateId;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.PastTerm;
import dev.incumbent.model.Request;
import dev.incumbent.model.Role;
import dev.incumbent.model.SinkId;
import dev.incumbent.model.Turns;
import dev.incumbent.protocol.Standing.Listing;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** What a process without a term owes: to disown a record that names it, to be enlisted, and to claim a vacancy in its turn. */
final class Campaign {
    private Campaign() {}

    static void pursue(Draft draft) {
        if (draft.attempt.isPresent() || draft.known.observed().isEmpty()) {
            return;
        }
        if (draft.isNamed()) {
            disown(draft);
        } else if (draft.standing.campaigning() && mayStand(draft) && isEnlisted(draft)) {
            if (!draft.record().isFrozen() && isClaimable(draft)) {
                claim(draft);
            }
        }
    }

    /**
     * The candidates were listed; what was asked before the vacancy was told, or before the term held was won, says nothing of it. Whoever is not on the list any
     * more enlists again.
     */
    static void listed(Draft draft, List<Enlisted> candidates, long sentAt) {
        boolean beforeTheVacancy = draft.role == Role.CANDIDATE
                && draft.known.vacantSinceNanos() != Step.NEVER
                && sentAt < draft.known.vacantSinceNanos();
        boolean beforeTheTerm =
                draft.tenure.filter(t -> sentAt < t.won().atNanos()).isPresent();
        boolean stale = beforeTheVacancy || beforeTheTerm;
        draft.known = draft.known.lined(stale ? Optional.empty() : Optional.of(candidates), false);
        boolean listed =
                candidates.stream().anyMatch(one -> one.candidate().id().equals(draft.me()));
        if (!listed && draft.standing.listing() == Listing.ON && draft.role == Role.CANDIDATE) {
            draft.standing = draft.standing.listing(Listing.OFF).enlistsAt(ElectionProtocol.later(draft));
        }
    }

    /** A record that names this process for a term it does not hold: nobody else can end that. */
    private static void disown(Draft draft) {
        if (draft.isDue(draft.known.notBefore().swapAtNanos())) {
            draft.tell(new Notice.Disowned(draft.record().term()));
            draft.swap(Attempt.Kind.DISOWN, Resigning.vacant(draft));
        }
    }

    /** Only who stands is enlisted: who is unwell, does not know what the record requires, finds no room among the holders, lacks a sink, or waits for a term that did not last, leaves the list. */
    private static boolean mayStand(Draft draft) {
        boolean knows = draft.unknown(draft.record()).isEmpty();
        boolean isRoom = StonithRules.refusal(draft, draft.record()).isEmpty();
        if (!draft.standing.well()
                || !knows
                || !isRoom
                || mismatches(draft)
                || !draft.isDue(draft.standing.standAtNanos())) {
            draft.leaveTheList();
            return false;
        }
        return draft.lease.isPresent() && !draft.lease.get().ending();
    }

    /** Whoever lacks a sink of the record, or brings a retired one, does not stand, and says so. */
    private static boolean mismatches(Draft draft) {
        Set<SinkId> mine = draft.setup.sinks().keySet();
        boolean mismatch = !mine.containsAll(draft.record().sinks().keySet())
                || !Collections.disjoint(mine, draft.record().retiredSinks());
        if (mismatch != draft.standing.mismatchTold()) {
            draft.standing = draft.standing.mismatchTold(mismatch);
            Set<SinkId> missing = new TreeSet<>(draft.record().sinks().keySet());
            missing.removeAll(mine);
            Set<SinkId> retired = new TreeSet<>(draft.record().retiredSinks());
            retired.retainAll(mine);
            draft.tell(new Notice.SinksMismatch(missing, retired));
        }
        return mismatch;
    }

    private static boolean isEnlisted(Draft draft) {
        if (draft.standing.listing() == Listing.OFF
                && draft.isDue(draft.standing.place().enlistAtNanos())) {
            draft.standing = draft.standing.enlists(draft.now.wall());
            enlist(draft, draft.standing.place().atEnd());
        }
        return draft.standing.listing() == Listing.ON;
    }

    private static void enlist(Draft draft, boolean atEnd) {
        Enlisted entry = new Enlisted(
                draft.setup
                        .candidate()
                        .withPosition(draft.standing.position().reached())
                        .withLeads(draft.standing.load().led()),
                draft.lease.orElseThrow().id(),
                draft.standing.place().since(),
                draft.setup.sinks().keySet(),
                draft.setup.features().supported());
        draft.emit(new Effect.EnlistCandidate(entry, atEnd));
        long next = draft.now.nanos() + draft.setup.timing().renewEvery().toNanos();
        draft.standing = draft.standing.listed(next);
    }

    /**
     * Whoever is on the list, be it a leader, has its position told there as it changes, and how many elections its process leads: a third of a lease after the
     * last time at the earliest.
     */
    static void tellWhatChanged(Draft draft) {
        Standing.Position position = draft.standing.position();
        Standing.Load load = draft.standing.load();
        boolean stands = draft.standing.listing() == Listing.ON && draft.lease.isPresent();
        boolean hasMoved = stands && position.reached() != position.listed() && draft.isDue(position.listAtNanos());
        boolean isOtherwise = stands && load.led() >= 0 && load.led() != load.listed();
        if (hasMoved || (isOtherwise && draft.isDue(load.listAtNanos()))) {
            enlist(draft, false);
        }
    }

    /** What has to be asked for is asked for at once, the order and the sinks side by side. */
    private static boolean isClaimable(Draft draft) {
        if (isVacant(draft)) {
            return isMyTurn(draft);
        }
        if (StonithRules.isAsked(draft) || !Preempting.isDoubted(draft)) {
            return false;
        }
        boolean reaches = Preempting.reachesAllSinks(draft);
        return isMyTurn(draft) && reaches;
    }

    private static boolean isVacant(Draft draft) {
        return draft.known.observed().map(ObservedRecord::isVacant).orElse(false);
    }

    /**
     * A named successor goes first, for the transfer grace, whatever its rank; then the others in their turns. Whoever is enlisted is on the line that it knows:
     * one that lacks it takes it off the list.
     */
    private static boolean isMyTurn(Draft draft) {
        Optional<CandidateId> named = successor(draft.record());
        if (named.equals(Optional.of(draft.me()))) {
            return isFresh(draft);
        }
        if (draft.known.line().isEmpty()) {
            askForTheLine(draft);
            return false;
        }
        List<Enlisted> line = draft.known.line().get().stream()
                .filter(e -> isVacant(draft) || !leads(draft, e.candidate().id()))
                .map(e -> asOfNow(draft, e))
                .toList();
        long from = draft.known.vacantSinceNanos();
        if (named.isPresent() && line.stream().anyMatch(e -> e.candidate().id().equals(named.get()))) {
            from += draft.setup.transferGrace().toNanos();
        }
        int staggers = Turns.of(draft.record()).staggers(line, draft.me());
        return draft.isDue(from + staggers * draft.setup.stagger().toNanos()) && isFresh(draft);
    }

    /** What this process leads now, and not what the list has told of it: of many vacancies at once it claims its share. */
    private static Enlisted asOfNow(Draft draft, Enlisted one) {
        long led = draft.standing.load().led();
        return led >= 0 && one.candidate().id().equals(draft.me())
                ? new Enlisted(one.candidate().withLeads(led), one.lease(), one.since(), one.sinks(), one.supports())
                : one;
    }

    /** A suspected leader is still on the list, and not in anybody's way. */
    private static boolean leads(Draft draft, CandidateId id) {
        return draft.record().leader().filter(leader -> leader.id().equals(id)).isPresent();
    }

    private static void askForTheLine(Draft draft) {
        if (!draft.known.questions().listing()
                && draft.isDue(draft.known.notBefore().readAtNanos())) {
            draft.emit(new Effect.ListCandidates());
            draft.known = draft.known.lined(Optional.empty(), true);
        }
    }

    private static Optional<CandidateId> successor(LeaderRecord record) {
        return record.request()
                .filter(Request.TransferTo.class::isInstance)
                .map(Request.TransferTo.class::cast)
                .map(Request.TransferTo::successor);
    }

    /** Would a term won now be valid long enough to begin? */
    private static boolean isFresh(Draft draft) {
        HeldLease lease = draft.lease.orElseThrow();
        long stopAt = lease.validUntilNanos(draft.setup.timing())
                - draft.setup.timing().stopLead().toNanos();
        return draft.now.nanos() < stopAt && draft.isDue(draft.known.notBefore().swapAtNanos());
    }

    private static void claim(Draft draft) {
        LeaderRecord record = draft.record();
        long number = Math.addExact(
                Math.max(
                        record.term(),
                        Math.max(
                                draft.memory.terms().greatestWon(),
                                draft.memory.terms().greatestMet())),
                1);
        HeldLease lease = draft.lease.orElseThrow();
        LeaderRecord claimed = withTheDead(draft, record)
                .claimedBy(number, draft.setup.candidate(), lease.id(), lease.timeToLive(), draft.now.wall());
        draft.swap(Attempt.Kind.CLAIM, StonithRules.claiming(draft, claimed));
    }

    /** A leader whose lease died did not say goodbye: who claims after it writes it into the history. */
    private static LeaderRecord withTheDead(Draft draft, LeaderRecord record) {
        if (record.leader().isEmpty()) {
            return record;
        }
        Duration length = record.leaseLength();
        EndReason reason = isVacant(draft) ? EndReason.LEASE_LOST : EndReason.SUPERSEDED;
        return record.remembering(
                new PastTerm(record.term(), record.leader().get(), record.since(), draft.now.wall(), reason, length));
    }
}
