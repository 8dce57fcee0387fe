package dev.incumbent.protocol.operator;

import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.SinkId;
import dev.incumbent.outcome.OperatorOutcome;
import dev.incumbent.outcome.Retirement;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** How a sink is retired. What is taken back enters the record again with whoever brings it and has raised it. */
final class RetireRules {
    private static final Duration GIVE_UP_AFTER = Duration.ofSeconds(10);

    private RetireRules() {}

    static OperatorState step(RetireState state, OperatorEvent event, Turn turn) {
        if (event instanceof OperatorEvent.Begun) {
            turn.giveUpIn(GIVE_UP_AFTER);
            turn.read();
        } else if (!turn.takes(event)) {
            if (event instanceof OperatorEvent.RecordRead read) {
                swapOrConclude(state, read.observed(), turn);
            } else if (event instanceof OperatorEvent.SwapAccepted) {
                turn.conclude(new Retirement.Done(true));
            }
        }
        return state.with(turn.talk());
    }

    private static void swapOrConclude(RetireState state, ObservedRecord observed, Turn turn) {
        LeaderRecord record = observed.record();
        boolean retired = record.retiredSinks().contains(state.sink());
        if (retired != state.undo()) {
            turn.conclude(new Retirement.Done(turn.talk().touched()));
        } else if (!state.undo() && !record.sinks().containsKey(state.sink())) {
            turn.conclude(new Retirement.UnknownSink(record.sinks().keySet()));
        } else if (turn.reached(turn.talk().giveUpAt())) {
            turn.conclude(new OperatorOutcome.Failed(
                    "the record kept changing", turn.talk().touched(), false));
        } else {
            turn.swap(observed, state.undo() ? restored(record, state.sink()) : retired(record, state.sink()));
        }
    }

    private static LeaderRecord retired(LeaderRecord record, SinkId sink) {
        Map<SinkId, String> sinks = new TreeMap<>(record.sinks());
        sinks.remove(sink);
        Set<SinkId> retired = new TreeSet<>(record.retiredSinks());
        retired.add(sink);
        return record.withSinks(sinks).withRetiredSinks(retired);
    }

    private static LeaderRecord restored(LeaderRecord record, SinkId sink) {
        Set<SinkId> retired = new TreeSet<>(record.retiredSinks());
        retired.remove(sink);
        return record.withRetiredSinks(retired);
    }
}
