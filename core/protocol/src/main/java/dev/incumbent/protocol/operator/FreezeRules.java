package dev.incumbent.protocol.operator;

import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Freeze;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.outcome.Freezing;
import dev.incumbent.outcome.OpenSink;
import dev.incumbent.outcome.Progress;
import dev.incumbent.protocol.Step;
import dev.incumbent.protocol.operator.FreezeState.Flag;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How an election is frozen: the flag first, by a swap also where it is set already, so that no thaw under way undoes it; then every sink is raised to
 * the flag's number, while the record is read until nobody leads.
 *
 * <p>No sink is raised above the number that the record bears: a thaw goes above that number, so a raise of this freeze that lands after a thaw is
 * refused. Where a mark is not below the number, the flag is swapped in again with one above it; a thaw that has come first by then has undone this freeze.
 */
final class FreezeRules {
    private static final Duration GIVE_UP_AFTER = Duration.ofSeconds(30);
    private static final Duration RETRY_SINKS = Duration.ofSeconds(1);

    private FreezeRules() {}

    static OperatorState step(FreezeState state, OperatorEvent event, Turn turn) {
        FreezeState next = state;
        if (event instanceof OperatorEvent.Begun) {
            turn.read();
        } else if (event instanceof OperatorEvent.OfSink told) {
            next = close(state, told, turn);
        } else if (!turn.takes(event)) {
            next = heard(state, event, turn);
        }
        concludeOnceDone(next, turn);
        return next.with(turn.talk());
    }

    private static FreezeState heard(FreezeState state, OperatorEvent event, Turn turn) {
        if (event instanceof OperatorEvent.RecordRead read) {
            return read(state, read.observed(), turn);
        }
        if (event instanceof OperatorEvent.SwapAccepted) {
            return flagged(state, state.tried().orElseThrow(), turn);
        }
        if (event instanceof OperatorEvent.TimePassed && state.flag().isPresent()) {
            return askSinksAgain(state, state.flag().get(), turn);
        }
        return state;
    }

    private static FreezeState read(FreezeState state, ObservedRecord observed, Turn turn) {
        turn.giveUpIn(GIVE_UP_AFTER);
        Optional<Freeze> freeze = observed.record().freeze();
        Optional<Freeze> tried = state.tried().flatMap(LeaderRecord::freeze);
        if (freeze.isPresent() && freeze.equals(tried)) {
            return flagged(state, observed.record(), turn);
        }
        return state.flag().isPresent()
                ? watch(state, state.flag().get(), observed, turn)
                : setFlag(state, observed, turn);
    }

    /** By a number above the term, above that of a freeze that stands, and above the marks that were read. */
    private static FreezeState setFlag(FreezeState state, ObservedRecord observed, Turn turn) {
        LeaderRecord record = observed.record();
        long greatest =
                Math.max(record.term(), record.freeze().map(Freeze::number).orElse(0L));
        for (GivenSink sink : state.sinks().all()) {
            greatest = Math.max(greatest, sink instanceof GivenSink.Read read ? read.number() : 0);
        }
        Freeze freeze = new Freeze(turn.who(), state.aim().why(), turn.now().wall(), Math.addExact(greatest, 1));
        LeaderRecord next = record.withFreeze(Optional.of(freeze));
        turn.swap(observed, next);
        return state.trying(Optional.of(next));
    }

    /** The flag is set by this freeze, for the first time or by a higher number. */
    private static FreezeState flagged(FreezeState state, LeaderRecord record, Turn turn) {
        Freeze freeze = record.freeze().orElseThrow();
        turn.applied();
        turn.tell(new Progress.FlagSet(freeze));
        turn.read();
        FreezeState settled = state.trying(Optional.empty());
        if (state.flag().isPresent()) {
            FreezeState higher = settled.with(state.flag().get().numbered(freeze));
            return higher.with(raisingAll(higher, turn));
        }
        turn.watch();
        return settled.with(Flag.set(record, turn.now().nanos())).with(askingAll(state.sinks(), turn));
    }

    private static GivenSinks raisingAll(FreezeState state, Turn turn) {
        GivenSinks sinks = state.sinks();
        for (int sink = 0; sink < sinks.size(); sink++) {
            if (sinks.get(sink) instanceof GivenSink.Read read) {
                sinks = sinks.with(sink, raised(state, read, sink, turn));
            }
        }
        return sinks;
    }

    private static GivenSinks askingAll(GivenSinks sinks, Turn turn) {
        GivenSinks asked = sinks;
        for (int sink = 0; sink < sinks.size(); sink++) {
            if (mayAnswer(sinks.get(sink))) {
                turn.readMark(sink);
                asked = asked.with(sink, new GivenSink.Reading(sinks.get(sink).label()));
            }
        }
        return asked;
    }

    private static boolean mayAnswer(GivenSink sink) {
        return sink instanceof GivenSink.Untouched
                || sink instanceof GivenSink.Silent
                || sink instanceof GivenSink.Unsure;
    }

    private static FreezeState askSinksAgain(FreezeState state, Flag flag, Turn turn) {
        if (!turn.reached(flag.retryAt())) {
            return state;
        }
        FreezeState next = state.with(flag.retryingAt(Step.NEVER));
        return turn.reached(state.closeBy()) ? next : next.with(askingAll(state.sinks(), turn));
    }

    private static FreezeState watch(FreezeState state, Flag before, ObservedRecord observed, Turn turn) {
        if (!observed.record().isFrozen()) {
            turn.conclude(new Freezing.Undone("the flag is gone: somebody thawed, or the coordinator went back"));
            return state;
        }
        Flag flag = before.seeing(observed);
        if (flag.isVacant() && !before.isVacant()) {
            turn.tell(new Progress.Vacant(observed.record().term()));
            if (state.aim().untilQuiet()) {
                turn.tell(new Progress.QuietIn(untilQuiet(flag, turn)));
            }
        } else if (before.seen().isEmpty()) {
            observed.record()
                    .leader()
                    .ifPresent(leader -> turn.tell(
                            new Progress.StillLed(leader, observed.record().term())));
        }
        FreezeState next = state.with(flag);
        if (state.sinks().areAll(sink -> !(sink instanceof GivenSink.Read)) || turn.reached(state.closeBy())) {
            turn.await();
            turn.wakeBefore(next.closeBy());
            turn.wakeBefore(next.vacantBy());
            turn.wakeBefore(flag.quietAt());
            return next;
        }
        return setFlag(next, observed, turn);
    }

    private static FreezeState close(FreezeState state, OperatorEvent.OfSink event, Turn turn) {
        int sink = event.sink();
        GivenSink now = answered(state.sinks().get(sink), event, turn.who());
        if (now instanceof GivenSink.Read read) {
            now = raised(state, read, sink, turn);
        }
        FreezeState next = state.with(state.sinks().with(sink, now));
        if (now instanceof GivenSink.Raised raised) {
            turn.tell(new Progress.SinkRaised(raised.label(), raised.mark()));
        } else if (now instanceof GivenSink.Read) {
            turn.readSoon();
        } else if (mayAnswer(now) && !turn.reached(state.closeBy())) {
            return next.with(state.flag().orElseThrow().retryingAt(turn.in(RETRY_SINKS)));
        }
        return next;
    }

    /** What a sink is after its answer: read, where it is to be raised; what stands in the way is what it reads. */
    private static GivenSink answered(GivenSink before, OperatorEvent.OfSink event, String who) {
        if (event instanceof OperatorEvent.MarkRead told) {
            GivenSink.Read read = new GivenSink.Read(before.label(), told.id(), told.mark());
            Optional<Mark> mine = told.mark().filter(mark -> mark.owner().equals(MarkOwner.ofFreeze(who)));
            return mine.<GivenSink>map(mark -> new GivenSink.Raised(read, mark)).orElse(read);
        }
        if (event instanceof OperatorEvent.MarkUnread silent) {
            return new GivenSink.Silent(before.label(), silent.why());
        }
        GivenSink.Raising raising = (GivenSink.Raising) before;
        if (event instanceof OperatorEvent.MarkRaised raised) {
            return new GivenSink.Raised(raising.read(), raised.mark());
        }
        if (event instanceof OperatorEvent.RaiseRefused refused) {
            return new GivenSink.Read(before.label(), raising.read().known(), Optional.of(refused.inForce()));
        }
        if (event instanceof OperatorEvent.RaiseUncertain uncertain) {
            return new GivenSink.Unsure(raising.read(), raising.asked(), uncertain.why());
        }
        OperatorEvent.RaiseTooFar tooFar = (OperatorEvent.RaiseTooFar) event;
        return new GivenSink.Barred(raising.read(), tooFar(tooFar));
    }

    static String tooFar(OperatorEvent.RaiseTooFar event) {
        return "its mark is " + event.from() + ", too far below "
                + event.asked().token();
    }

    /** Raises it to the flag's number, unless its mark calls for a higher one. */
    private static GivenSink raised(FreezeState state, GivenSink.Read read, int sink, Turn turn) {
        long number = state.flag().orElseThrow().freeze().number();
        if (read.number() == Long.MAX_VALUE) {
            return new GivenSink.Barred(read, "there is no number above its mark");
        }
        if (read.number() >= number) {
            return read;
        }
        Mark mark = new Mark(new FencingToken(number), MarkOwner.ofFreeze(turn.who()));
        turn.raise(sink, mark);
        return new GivenSink.Raising(read, mark);
    }

    private static void concludeOnceDone(FreezeState state, Turn turn) {
        if (state.flag().isEmpty() || state.flag().get().seen().isEmpty()) {
            return;
        }
        Flag flag = state.flag().get();
        boolean sinksDone = state.sinks().areAll(sink -> !sink.isAsked())
                && (turn.reached(state.closeBy())
                        || state.sinks().areAll(sink -> !mayAnswer(sink) && !(sink instanceof GivenSink.Read)));
        boolean leaderDone = flag.isVacant() || turn.reached(state.vacantBy());
        boolean quietDone = !state.aim().untilQuiet() || !flag.isVacant() || turn.reached(flag.quietAt());
        if (sinksDone && leaderDone && quietDone) {
            turn.conclude(outcome(state, flag, turn));
        }
    }

    private static Freezing.Frozen outcome(FreezeState state, Flag flag, Turn turn) {
        ObservedRecord seen = flag.seen().orElseThrow();
        List<OpenSink> open = new ArrayList<>(state.sinks().unraised());
        open.addAll(state.sinks().notGiven(seen.record()));
        List<String> closed = state.sinks().all().stream()
                .filter(sink -> sink instanceof GivenSink.Raised)
                .map(GivenSink::label)
                .toList();
        return new Freezing.Frozen(
                flag.freeze(),
                closed,
                open,
                seen.isVacant() ? Optional.empty() : seen.record().leader(),
                untilQuiet(flag, turn));
    }

    private static Duration untilQuiet(Flag flag, Turn turn) {
        return Duration.ofNanos(Math.max(0, flag.quietAt() - turn.now().nanos()));
    }
}
