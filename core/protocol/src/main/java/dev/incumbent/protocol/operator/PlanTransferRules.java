package dev.incumbent.protocol.operator;

import dev.incumbent.model.CandidateId;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.PlannedTransfer;
import dev.incumbent.outcome.OperatorOutcome;
import dev.incumbent.outcome.TransferPlan;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** How a transfer is planned for later, or that is taken back: by one swap, whoever leads. One that is planned already stays as it is. */
final class PlanTransferRules {
    private static final Duration GIVE_UP_AFTER = Duration.ofSeconds(10);
    /** Beyond it a time is rather a slip of the pen. */
    private static final Duration LATEST = Duration.ofDays(366);

    private PlanTransferRules() {}

    static OperatorState step(PlanState state, OperatorEvent event, Turn turn) {
        PlanState next = state;
        if (event instanceof OperatorEvent.Begun) {
            next = state.begunAt(turn.now().wall());
            turn.giveUpIn(GIVE_UP_AFTER);
            turn.read();
        } else if (!turn.takes(event)) {
            next = heard(state, event, turn);
        }
        return next.with(turn.talk());
    }

    private static PlanState heard(PlanState state, OperatorEvent event, Turn turn) {
        if (event instanceof OperatorEvent.RecordRead read) {
            PlanState seeing = state.seeing(read.observed());
            look(seeing, turn);
            return seeing;
        }
        if (event instanceof OperatorEvent.CandidatesRead read) {
            return choose(state, read.candidates(), turn);
        }
        if (event instanceof OperatorEvent.SwapAccepted) {
            turn.conclude(done(state));
        }
        return state;
    }

    private static void look(PlanState state, Turn turn) {
        Optional<PlannedTransfer> found = state.seen().record().planned();
        if (state.asked().isPresent() && found.isPresent()) {
            turn.conclude(standing(state, found.get(), turn));
        } else if (state.asked().isEmpty() && found.isEmpty()) {
            turn.conclude(new TransferPlan.Cancelled(turn.talk().touched() ? state.was() : Optional.empty()));
        } else if (turn.reached(turn.talk().giveUpAt())) {
            turn.conclude(new OperatorOutcome.Failed(
                    "the record kept changing", turn.talk().touched(), false));
        } else if (state.asked().isEmpty()) {
            turn.swap(state.seen(), state.seen().record().withPlanned(Optional.empty()));
        } else {
            plan(state.asked().get(), turn);
        }
    }

    /** The same again is done already; another one is taken back first, by whoever wants that. */
    private static TransferPlan standing(PlanState state, PlannedTransfer found, Turn turn) {
        PlannedTransfer asked = state.asked().orElseThrow();
        boolean isMine = found.by().equals(turn.who());
        boolean isSame = found.to().equals(asked.to()) && found.notBefore().equals(asked.notBefore());
        return isMine || isSame
                ? new TransferPlan.Planned(found, isMine, !isMine || state.stands())
                : new TransferPlan.Refused("a transfer to " + found.to() + ", not before " + found.notBefore()
                        + ", is planned already, by " + found.by() + ": take it back first");
    }

    /** What was written without an answer and is gone may have been done, and is not written again. */
    private static void plan(PlannedTransfer asked, Turn turn) {
        Instant now = turn.now().wall();
        if (asked.isDue(now) && turn.talk().touched()) {
            turn.conclude(new OperatorOutcome.Failed(
                    "it is not known whether it was planned, and its time has come", true, false));
        } else if (asked.isDue(now)) {
            turn.conclude(new TransferPlan.Refused(asked.notBefore() + " has passed here, it is " + now));
        } else if (now.plus(LATEST).isBefore(asked.notBefore())) {
            turn.conclude(
                    new TransferPlan.Refused(asked.notBefore() + " is more than " + LATEST.toDays() + " days ahead"));
        } else {
            turn.readCandidates();
        }
    }

    private static PlanState choose(PlanState state, List<Enlisted> candidates, Turn turn) {
        PlannedTransfer asked = state.asked().orElseThrow();
        LeaderRecord record = state.seen().record();
        List<CandidateId> meant = Stream.concat(
                        record.leader().stream(), candidates.stream().map(Enlisted::candidate))
                .filter(asked::means)
                .map(one -> one.id())
                .distinct()
                .toList();
        boolean isId = meant.stream().anyMatch(id -> id.value().equals(asked.to()));
        if (!isId && meant.size() > 1) {
            turn.conclude(new TransferPlan.Ambiguous(asked.to(), meant));
            return state;
        }
        turn.swap(state.seen(), record.withPlanned(Optional.of(asked)));
        return state.standing(!meant.isEmpty());
    }

    private static TransferPlan done(PlanState state) {
        return state.asked()
                .<TransferPlan>map(asked -> new TransferPlan.Planned(asked, true, state.stands()))
                .orElseGet(() -> new TransferPlan.Cancelled(state.was()));
    }
}
