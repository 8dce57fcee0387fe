package dev.incumbent.protocol.operator;

import dev.incumbent.model.Candidate;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.PastTerm;
import dev.incumbent.outcome.OpenSink;
import dev.incumbent.outcome.Progress;
import dev.incumbent.outcome.Thaw;
import dev.incumbent.protocol.Step;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How a frozen election is thawed: the marks are read, then the record, then each sink is raised on condition of the mark that was read there, then the
 * record is swapped on condition that it is still the one that was read. So neither a late freeze nor a late thaw undoes the other.
 */
final class ThawRules {
    private static final Duration SETTLE = Duration.ofSeconds(10);
    private static final Duration RETRY_SINKS = Duration.ofSeconds(1);

    private ThawRules() {}

    static OperatorState step(ThawState state, OperatorEvent event, Turn turn) {
        ThawState next = state;
        if (event instanceof OperatorEvent.Begun) {
            next = begin(state, turn);
        } else if (event instanceof OperatorEvent.OfSink told) {
            next = told(state, told, turn);
        } else if (!turn.takes(event)) {
            next = heard(state, event, turn);
        }
        return next.with(turn.talk());
    }

    private static ThawState begin(ThawState state, Turn turn) {
        turn.giveUpIn(state.raiseWithin().plus(SETTLE));
        GivenSinks sinks = state.sinks();
        for (int sink = 0; sink < sinks.size(); sink++) {
            turn.readMark(sink);
            sinks = sinks.with(sink, new GivenSink.Reading(sinks.get(sink).label()));
        }
        if (sinks.size() == 0) {
            turn.read();
        }
        return state.with(sinks).until(turn.in(state.raiseWithin()));
    }

    private static ThawState heard(ThawState state, OperatorEvent event, Turn turn) {
        if (event instanceof OperatorEvent.RecordRead read) {
            return state.number() == 0 ? look(state, read.observed(), turn) : settle(state, read.observed(), turn);
        }
        if (event instanceof OperatorEvent.SwapAccepted) {
            turn.conclude(new Thaw.Thawed(thawed(state, turn).term()));
        } else if (event instanceof OperatorEvent.TimePassed && turn.reached(state.retryAt())) {
            return raiseAgain(state, turn);
        }
        return state;
    }

    private static ThawState told(ThawState state, OperatorEvent.OfSink event, Turn turn) {
        GivenSink before = state.sinks().get(event.sink());
        if (before instanceof GivenSink.Raising raising) {
            return raised(state, raising, event, turn);
        }
        ThawState next = state.with(state.sinks().with(event.sink(), told(before, event)));
        if (next.sinks().areAll(sink -> !sink.isAsked())) {
            if (next.sinks().unread().isEmpty()) {
                turn.read();
            } else {
                turn.conclude(new Thaw.NotRead(next.sinks().unread()));
            }
        }
        return next;
    }

    private static GivenSink told(GivenSink before, OperatorEvent.OfSink event) {
        if (event instanceof OperatorEvent.MarkRead read) {
            return new GivenSink.Read(before.label(), read.id(), read.mark());
        }
        return new GivenSink.Silent(before.label(), ((OperatorEvent.MarkUnread) event).why());
    }

    /** The record, read after the marks. */
    private static ThawState look(ThawState state, ObservedRecord observed, Turn turn) {
        LeaderRecord record = observed.record();
        List<OpenSink> missing = state.sinks().notGiven(record);
        if (!record.isFrozen()) {
            turn.conclude(notFrozen(state));
        } else if (!observed.isVacant()) {
            Candidate leader = record.leader().orElseThrow();
            turn.conclude(new Thaw.Refused(leader + " still leads term " + record.term() + " on record"));
        } else if (!missing.isEmpty()) {
            turn.conclude(new Thaw.NotRead(missing));
        } else if (turn.mayWrite(record)) {
            return raiseAll(state, observed, turn);
        }
        return state;
    }

    private static Thaw notFrozen(ThawState state) {
        List<String> latched = state.sinks().all().stream()
                .filter(sink -> sink instanceof GivenSink.Read read
                        && read.mark().isPresent()
                        && read.mark().get().owner() instanceof MarkOwner.OfFreeze)
                .map(GivenSink::label)
                .toList();
        return latched.isEmpty()
                ? new Thaw.NotFrozen()
                : new Thaw.Refused("the record is not frozen, but a freeze owns the marks of " + latched
                        + ": the coordinator forgot it; freeze, then thaw");
    }

    /** One number above every mark, the freeze's own number and the term. */
    private static ThawState raiseAll(ThawState state, ObservedRecord observed, Turn turn) {
        LeaderRecord record = observed.record();
        long greatest = Math.max(record.term(), record.freeze().orElseThrow().number());
        for (GivenSink sink : state.sinks().all()) {
            greatest = Math.max(greatest, ((GivenSink.Read) sink).number());
        }
        if (greatest == Long.MAX_VALUE) {
            turn.conclude(new Thaw.Refused("there is no number above the marks"));
            return state;
        }
        ThawState next = state.raising(observed, greatest + 1);
        GivenSinks sinks = state.sinks();
        for (int sink = 0; sink < sinks.size(); sink++) {
            sinks = sinks.with(sink, raise(next, (GivenSink.Read) sinks.get(sink), sink, turn));
        }
        return swapOnceRaised(next.with(sinks), turn);
    }

    /** On condition of the mark that was read here. */
    private static GivenSink raise(ThawState state, GivenSink.Read read, int sink, Turn turn) {
        Mark mark = new Mark(new FencingToken(state.number()), MarkOwner.ofThaw(turn.who(), read.number()));
        turn.raise(sink, mark);
        return new GivenSink.Raising(read, mark);
    }

    private static ThawState raised(ThawState state, GivenSink.Raising before, OperatorEvent.OfSink event, Turn turn) {
        if (event instanceof OperatorEvent.MarkRaised raised) {
            turn.tell(new Progress.SinkRaised(before.label(), raised.mark()));
            GivenSink now = new GivenSink.Raised(before.read(), raised.mark());
            return swapOnceRaised(state.with(state.sinks().with(event.sink(), now)), turn);
        }
        if (event instanceof OperatorEvent.RaiseUncertain uncertain && !turn.reached(state.deadline())) {
            GivenSink now = new GivenSink.Unsure(before.read(), before.asked(), uncertain.why());
            turn.tell(new Progress.SinkLeft(new OpenSink(before.label(), uncertain.why())));
            return state.with(state.sinks().with(event.sink(), now)).retryingAt(turn.in(RETRY_SINKS));
        }
        turn.conclude(new Thaw.NotRaised(List.of(new OpenSink(before.label(), whyNot(event)))));
        return state;
    }

    private static String whyNot(OperatorEvent.OfSink event) {
        if (event instanceof OperatorEvent.RaiseRefused refused) {
            return "its mark is " + refused.inForce() + " by now: a freeze or another thaw came in between";
        }
        if (event instanceof OperatorEvent.RaiseTooFar tooFar) {
            return FreezeRules.tooFar(tooFar);
        }
        return ((OperatorEvent.RaiseUncertain) event).why();
    }

    private static ThawState raiseAgain(ThawState state, Turn turn) {
        GivenSinks sinks = state.sinks();
        for (int sink = 0; sink < sinks.size(); sink++) {
            if (sinks.get(sink) instanceof GivenSink.Unsure unsure) {
                sinks = sinks.with(sink, raise(state, unsure.read(), sink, turn));
            }
        }
        return state.with(sinks).retryingAt(Step.NEVER);
    }

    private static ThawState swapOnceRaised(ThawState state, Turn turn) {
        if (state.sinks().areAll(sink -> sink instanceof GivenSink.Raised)) {
            turn.swap(state.from(), thawed(state, turn));
        }
        return state;
    }

    /** The record that it began on, without the flag, and without a leader whose lease is dead. */
    private static LeaderRecord thawed(ThawState state, Turn turn) {
        LeaderRecord record = state.from().record();
        LeaderRecord told = record.leader()
                .map(dead -> record.remembering(new PastTerm(
                        record.term(),
                        dead,
                        record.since(),
                        turn.now().wall(),
                        EndReason.LEASE_LOST,
                        record.leaseLength())))
                .orElse(record);
        return told.withFreeze(Optional.empty())
                .withRequest(Optional.empty())
                .vacated(state.number(), turn.now().wall());
    }

    /** After a swap that was refused or not answered: on the very record that it began on, the swap is sent again. */
    private static ThawState settle(ThawState state, ObservedRecord observed, Turn turn) {
        if (!observed.record().isFrozen()) {
            turn.conclude(new Thaw.Thawed(observed.record().term()));
        } else if (observed.revision().equals(state.from().revision())) {
            turn.swap(state.from(), thawed(state, turn));
        } else {
            turn.conclude(new Thaw.Refused("the record changed meanwhile: "
                    + observed.record()
                            .freeze()
                            .map(freeze -> "frozen by " + freeze.by())
                            .orElse("")
                    + "; look again, then thaw again"));
        }
        return state;
    }
}
