package dev.incumbent.protocol.operator;

import dev.incumbent.model.Candidate;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Request;
import dev.incumbent.outcome.OperatorOutcome;
import dev.incumbent.outcome.Progress;
import dev.incumbent.outcome.RequestedTransfer;
import dev.incumbent.outcome.Resignation;
import dev.incumbent.protocol.operator.AskState.Asked;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** How a leader is asked to hand over or to resign. One term is asked, the one that led at first sight, and no other. */
final class AskRules {
    /** How long a request is tried to be taken back, or settled, once the time is up. */
    private static final Duration SETTLE = Duration.ofSeconds(10);
    /** How long a vacancy lasts before it counts that nobody stands: who resigned enlists again. */
    private static final Duration NOBODY_STANDS_AFTER = Duration.ofSeconds(1);

    private AskRules() {}

    static OperatorState step(AskState state, OperatorEvent event, Turn turn) {
        AskState next = state;
        if (event instanceof OperatorEvent.Begun) {
            turn.giveUpIn(state.timeout().plus(SETTLE));
            next = state.until(turn.in(state.timeout()));
            turn.read();
        } else if (!turn.takes(event)) {
            next = heard(state, event, turn);
        }
        turn.wakeBefore(next.deadline());
        return next.with(turn.talk());
    }

    private static AskState heard(AskState state, OperatorEvent event, Turn turn) {
        if (event instanceof OperatorEvent.RecordRead read) {
            AskState seeing = state.seeing(read.observed());
            return state.asked().isEmpty()
                    ? look(seeing, turn)
                    : judge(seeing, state.asked().get(), turn);
        }
        if (event instanceof OperatorEvent.CandidatesRead read) {
            return state.asked().isEmpty()
                    ? choose(state, read.candidates(), turn)
                    : nobodyStands(state, read.candidates(), turn);
        }
        if (state.asked().isEmpty()) {
            return state;
        }
        Asked asked = state.asked().get();
        if (event instanceof OperatorEvent.SwapAccepted) {
            return accepted(state, asked, turn);
        }
        if (event instanceof OperatorEvent.RecordWatched watched) {
            return state.asking(timed(asked, watched.observed(), turn));
        }
        return state;
    }

    private static AskState look(AskState state, Turn turn) {
        LeaderRecord record = state.seen().record();
        if (state.seen().isVacant()) {
            return refused(state, "nobody leads, so there is nobody to ask", turn);
        }
        if (record.freeze().isPresent()) {
            return refused(state, "frozen by " + record.freeze().get().by(), turn);
        }
        if (state.successor().isPresent()) {
            turn.readCandidates();
            return state;
        }
        return ask(state, Optional.empty(), turn);
    }

    private static AskState choose(AskState state, List<Enlisted> candidates, Turn turn) {
        LeaderRecord record = state.seen().record();
        Successor chosen = Successor.of(state.successor().orElseThrow(), candidates, record);
        if (chosen instanceof Successor.Eligible eligible) {
            return ask(state, Optional.of(eligible.candidate()), turn);
        }
        if (chosen instanceof Successor.Leads leads) {
            turn.conclude(new RequestedTransfer.LeadsAlready(record.term(), leads.leader()));
        } else if (chosen instanceof Successor.Many many) {
            turn.conclude(new RequestedTransfer.Ambiguous(many.name(), many.ids()));
        } else if (chosen instanceof Successor.Ineligible ineligible) {
            turn.conclude(new RequestedTransfer.Refused(ineligible.why()));
        }
        return state;
    }

    private static AskState ask(AskState state, Optional<Candidate> successor, Turn turn) {
        LeaderRecord record = state.seen().record();
        Asked asked = new Asked(
                record.term(),
                record.leader().orElseThrow(),
                successor,
                false,
                false,
                Optional.empty(),
                Optional.empty());
        turn.swap(state.seen(), record.withRequest(Optional.of(request(asked, turn))));
        return state.asking(asked);
    }

    /** The request bears who asks, which is unique: so it is recognised, whichever of its sendings landed. */
    private static Request request(Asked asked, Turn turn) {
        return asked.successor()
                .<Request>map(successor -> new Request.TransferTo(turn.who(), asked.term(), successor.id()))
                .orElseGet(() -> new Request.Resign(turn.who(), asked.term()));
    }

    private static AskState accepted(AskState state, Asked asked, Turn turn) {
        if (asked.takingBack()) {
            return takenBack(state, asked, "it did not do so in time", turn);
        }
        return stands(state, asked, turn);
    }

    private static AskState stands(AskState state, Asked asked, Turn turn) {
        if (!asked.stands()) {
            turn.applied();
            turn.tell(new Progress.Asked(request(asked, turn), asked.leader()));
            turn.watch();
        }
        turn.await();
        return state.asking(asked.standing());
    }

    private static AskState judge(AskState state, Asked before, Turn turn) {
        LeaderRecord record = state.seen().record();
        Asked asked = timed(before, state.seen(), turn);
        AskState next = state.asking(asked);
        if (state.seen().isVacant()) {
            if (before.vacantAt().isEmpty()) {
                turn.tell(new Progress.Vacant(asked.term()));
            }
            return vacant(next, asked, turn);
        }
        if (!record.names(asked.leader().id(), asked.term())) {
            return another(next, asked, turn);
        }
        boolean mine =
                record.request().isPresent() && record.request().get().id().equals(turn.who());
        if (mine && turn.reached(state.deadline())) {
            turn.swap(state.seen(), record.withRequest(Optional.empty()));
            return state.asking(asked.standing().beingTakenBack());
        }
        if (mine) {
            return stands(next, asked, turn);
        }
        if (asked.takingBack()) {
            return takenBack(next, asked, "it did not do so in time", turn);
        }
        if (asked.stands() && !turn.reached(state.deadline()) && isAskedByAnother(record, asked)) {
            turn.await();
            return next;
        }
        if (asked.stands()) {
            return takenBack(next, asked, declined(record), turn);
        }
        return again(next, asked, turn);
    }

    /** Does a request that replaced this one ask the very same of the same term? Then its end is this one's, too. */
    private static boolean isAskedByAnother(LeaderRecord record, Asked asked) {
        return record.request()
                .filter(other -> other.term() == asked.term()
                        && (other instanceof Request.TransferTo to
                                ? asked.successor()
                                        .filter(mine -> mine.id().equals(to.successor()))
                                        .isPresent()
                                : asked.successor().isEmpty()))
                .isPresent();
    }

    /** The request was not seen to stand yet: a swap that was refused, or one that may yet land. */
    private static AskState again(AskState state, Asked asked, Turn turn) {
        LeaderRecord record = state.seen().record();
        if (record.freeze().isPresent()) {
            return takenBack(state, asked, "frozen by " + record.freeze().get().by(), turn);
        }
        if (turn.reached(turn.talk().giveUpAt())) {
            turn.conclude(new OperatorOutcome.Failed(
                    "the request could not be written, term " + asked.term() + " goes on",
                    turn.talk().touched(),
                    false));
            return state;
        }
        turn.swap(state.seen(), record.withRequest(Optional.of(request(asked, turn))));
        return state;
    }

    private static String declined(LeaderRecord record) {
        return record.request()
                .map(other -> "request " + other.id() + " replaced it")
                .orElse("the leader declined: its task would not stop in time, the successor was not alive,"
                        + " or it had not caught up (the leader's log tells the positions)");
    }

    /** Notes when the vacancy and the claim after the asked term were first seen; for people. */
    private static Asked timed(Asked asked, ObservedRecord observed, Turn turn) {
        LeaderRecord record = observed.record();
        if (record.term() < asked.term() || (!observed.isVacant() && record.term() == asked.term())) {
            return asked;
        }
        long now = turn.now().nanos();
        return observed.isVacant() ? asked.vacantSince(now) : asked.claimedSince(now);
    }

    private static AskState vacant(AskState state, Asked asked, Turn turn) {
        Optional<String> hopeless = state.seen()
                .record()
                .freeze()
                .map(freeze -> "frozen by " + freeze.by())
                .or(() -> turn.reached(state.deadline())
                        ? Optional.of("nobody claimed within " + state.timeout().toMillis() + " ms")
                        : Optional.empty());
        long since = asked.vacantAt().orElse(turn.now().nanos());
        if (hopeless.isPresent() && state.successor().isPresent()) {
            turn.conclude(new RequestedTransfer.NobodyLeads(asked.term(), hopeless.get()));
        } else if (hopeless.isPresent()) {
            turn.conclude(new Resignation.Resigned(asked.term(), asked.leader(), Optional.empty()));
        } else if (state.successor().isEmpty() && turn.reached(since + NOBODY_STANDS_AFTER.toNanos())) {
            turn.readCandidates();
        } else {
            turn.await();
        }
        return state;
    }

    private static AskState nobodyStands(AskState state, List<Enlisted> candidates, Turn turn) {
        if (candidates.isEmpty()) {
            Asked asked = state.asked().orElseThrow();
            turn.conclude(new Resignation.Resigned(asked.term(), asked.leader(), Optional.empty()));
        } else {
            turn.await();
        }
        return state;
    }

    private static AskState another(AskState state, Asked asked, Turn turn) {
        LeaderRecord record = state.seen().record();
        Candidate leader = record.leader().orElseThrow();
        if (state.successor().isEmpty()) {
            turn.conclude(new Resignation.Resigned(
                    asked.term(),
                    asked.leader(),
                    Optional.of(new Resignation.Next(record.term(), leader, asked.gap()))));
        } else if (asked.successor().isPresent() && asked.successor().get().id().equals(leader.id())) {
            turn.conclude(new RequestedTransfer.Transferred(record.term(), leader, asked.gap()));
        } else {
            turn.conclude(new RequestedTransfer.AnotherLeads(record.term(), leader));
        }
        return state;
    }

    private static AskState refused(AskState state, String why, Turn turn) {
        turn.conclude(
                state.successor().isPresent() ? new RequestedTransfer.Refused(why) : new Resignation.Refused(why));
        return state;
    }

    private static AskState takenBack(AskState state, Asked asked, String why, Turn turn) {
        turn.conclude(
                state.successor().isPresent()
                        ? new RequestedTransfer.TakenBack(asked.term(), asked.leader(), why)
                        : new Resignation.TakenBack(asked.term(), asked.leader(), why));
        return state;
    }
}
