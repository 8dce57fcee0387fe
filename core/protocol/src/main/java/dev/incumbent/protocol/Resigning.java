package dev.incumbent.protocol;

import dev.incumbent.model.EndReason;
import dev.incumbent.model.Freeze;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.PastTerm;
import dev.incumbent.model.RankMove;
import dev.incumbent.model.Request;
import dev.incumbent.model.Role;
import dev.incumbent.protocol.Tenure.Ending;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What a term that is over still owes: its task stopped, then the record vacated, then an end to it. */
final class Resigning {
    private static final int PATIENCE_LEASES = 10;
    private static final int HEALINGS_TOLD = 3;

    private Resigning() {}

    static void pursue(Draft draft) {
        StonithRules.giveUpTheSilent(draft);
        if (draft.held().task().runs() && !mayVacateUnderTheTask(draft)) {
            return;
        }
        if (draft.attempt.isEmpty() && !StonithRules.isUnderWay(draft.held())) {
            if (draft.isNamed()) {
                vacate(draft);
            } else if (!draft.held().task().runs()) {
                leave(draft);
            }
        }
    }

    /** A task that will not stop: fenced, the fence closes it; otherwise the shared session must end. */
    private static boolean mayVacateUnderTheTask(Draft draft) {
        Ending ending = draft.held().ending();
        if (!draft.isDue(ending.stopByNanos())) {
            return false;
        }
        if (!ending.stalled()) {
            draft.tenure = Optional.of(draft.held().ending(ending.isStalled()));
            draft.tell(new Notice.Stalled(draft.held().term().number()));
            if (!draft.setup.isFenced()
                    && draft.lease
                            .filter(l -> l.id().equals(draft.held().won().under()))
                            .isPresent()) {
                draft.emit(new Effect.EndSession());
            }
        }
        return draft.setup.isFenced();
    }

    private static void vacate(Draft draft) {
        if (!draft.isDue(draft.known.notBefore().swapAtNanos())) {
            return;
        }
        Tenure mine = draft.held();
        LeaderRecord next = vacant(draft);
        if (mine.task().begun() || mine.ending().heals()) {
            next = next.remembering(past(draft, mine));
        }
        Optional<Freeze> forgotten = mine.ending().obstacle().flatMap(Tenure.Obstacle::forgotten);
        if (forgotten.isPresent() && !next.isFrozen()) {
            next = next.withFreeze(forgotten);
        }
        if (mine.handover().successor().isPresent() && reason(mine) == EndReason.TRANSFERRED) {
            Request.TransferTo request = request(draft, mine);
            next = next.withRequest(Optional.of(request))
                    .withoutPlanned(mine.handover().requestId())
                    .withMoved(mine.handover().move().map(noted -> RankMove.to(request.successor(), noted.inputs())));
        }
        draft.tenure = Optional.of(mine.ending(mine.ending().lapsed()));
        draft.swap(Attempt.Kind.VACATE, next);
    }

    /** The record without a leader; its term is the greatest of its own, the numbers this process won and the marks it met. All else is kept, but for what is known of the holders. */
    static LeaderRecord vacant(Draft draft) {
        long atLeast = Math.max(
                draft.memory.terms().greatestWon(), draft.memory.terms().greatestMet());
        return StonithRules.vacated(draft, draft.record().vacated(atLeast, draft.now.wall()));
    }

    private static PastTerm past(Draft draft, Tenure mine) {
        return new PastTerm(
                mine.term().number(),
                draft.record().leader().orElse(mine.term().leader()),
                mine.task().begun() ? mine.task().begunAt() : draft.record().since(),
                draft.now.wall(),
                mine.task().runs() ? EndReason.STALLED : reason(mine),
                draft.record().leaseLength());
    }

    private static EndReason reason(Tenure mine) {
        return mine.ending().reason().orElseThrow();
    }

    /**
     * The one that stands, with whatever it bears; where the leader itself wished or moves, or it was planned, one of its own. An operator who asks during a move has the last word:
     * the work has stopped already, and goes on at that successor.
     */
    private static Request.TransferTo request(Draft draft, Tenure mine) {
        Tenure.Handover handover = mine.handover();
        return draft.record()
                .request()
                .filter(Request.TransferTo.class::isInstance)
                .map(Request.TransferTo.class::cast)
                .filter(standing ->
                        standing.id().equals(handover.requestId()) || (handover.isMove() && asksMe(draft, standing)))
                .orElseGet(() -> new Request.TransferTo(
                        handover.isOwn() ? draft.me() + ":" + mine.term().number() : handover.requestId(),
                        mine.term().number(),
                        handover.successor().orElseThrow()));
    }

    private static boolean asksMe(Draft draft, Request.TransferTo request) {
        return request.term() == draft.held().term().number()
                && !request.successor().equals(draft.me());
    }

    /** The vacate was accepted: a mark written down is a healing, and the third within ten leases says that two coordinators share a sink. */
    static void vacated(Draft draft) {
        if (draft.tenure.filter(t -> t.ending().heals()).isEmpty()) {
            return;
        }
        Tenure.Obstacle met = draft.held().ending().obstacle().orElseThrow();
        draft.tell(new Notice.Healed(draft.held().term().number(), met.at(), met.mark()));
        long tenLeases =
                draft.setup.timing().lease().multipliedBy(PATIENCE_LEASES).toNanos();
        List<Long> healings = new ArrayList<>(draft.memory.healings());
        healings.removeIf(at -> draft.now.nanos() - at > tenLeases);
        healings.add(draft.now.nanos());
        draft.memory = draft.memory.healings(healings);
        if (healings.size() >= HEALINGS_TOLD) {
            draft.tell(new Notice.TwoCoordinators(met.at(), met.mark()));
            draft.standing = draft.standing.standsAt(draft.now.nanos() + tenLeases);
            draft.memory = draft.memory.healings(List.of());
        }
    }

    /** The term is behind us. One that did not last, for no good reason, makes us wait before we stand again. */
    private static void leave(Draft draft) {
        Tenure mine = draft.held();
        draft.tenure = Optional.empty();
        draft.become(draft.standing.campaigning() ? Role.CANDIDATE : Role.OBSERVER, Set.of(Role.RESIGNING));
        Duration lease = draft.setup.timing().lease();
        boolean lasted = draft.now.nanos() - mine.won().atNanos() >= lease.toNanos();
        boolean excused = mine.ending().asked() || mine.ending().heals() || reason(mine) == EndReason.TRANSFERRED;
        if (lasted || excused) {
            draft.memory = lasted ? draft.memory.patience(Duration.ZERO) : draft.memory;
            return;
        }
        Duration doubled = draft.memory.patience().multipliedBy(2);
        Duration first = draft.setup.timing().renewEvery();
        Duration most = lease.multipliedBy(PATIENCE_LEASES);
        Duration wait = doubled.compareTo(first) < 0 ? first : doubled.compareTo(most) > 0 ? most : doubled;
        draft.memory = draft.memory.patience(wait);
        draft.standing =
                draft.standing.standsAt(Math.max(draft.standing.standAtNanos(), draft.now.nanos() + wait.toNanos()));
        draft.tell(new Notice.Waits(wait.toNanos()));
    }
}
