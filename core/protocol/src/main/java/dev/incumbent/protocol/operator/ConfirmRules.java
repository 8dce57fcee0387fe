package dev.incumbent.protocol.operator;

import dev.incumbent.model.Holder;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.outcome.HolderConfirmation;
import dev.incumbent.outcome.OperatorOutcome;
import java.time.Duration;
import java.util.Optional;

/** How a person confirms that a holder acts no more: by one swap. Both its node and its term must be named, so that nobody confirms another one by mistake. Whoever leads under a live lease is not confirmed: it would never be listed again. */
final class ConfirmRules {
    private static final Duration GIVE_UP_AFTER = Duration.ofSeconds(10);

    private ConfirmRules() {}

    static OperatorState step(ConfirmState state, OperatorEvent event, Turn turn) {
        ConfirmState next = state;
        if (event instanceof OperatorEvent.Begun) {
            next = state.begunAt(turn.now().wall());
            turn.giveUpIn(GIVE_UP_AFTER);
            turn.read();
        } else if (!turn.takes(event)) {
            if (event instanceof OperatorEvent.RecordRead read) {
                next = swapOrConclude(state, read.observed(), turn);
            } else if (event instanceof OperatorEvent.SwapAccepted) {
                turn.conclude(confirmed(state));
            }
        }
        return next.with(turn.talk());
    }

    private static ConfirmState swapOrConclude(ConfirmState state, ObservedRecord observed, Turn turn) {
        LeaderRecord record = observed.record();
        Optional<Holder> listed = record.holders()
                .of(state.term())
                .filter(holder -> holder.on().node().equals(state.node()));
        if (listed.isEmpty()) {
            boolean mine = state.found().isPresent() && turn.talk().touched();
            turn.conclude(mine ? confirmed(state) : new HolderConfirmation.NotListed(record.holders()));
            return state;
        }
        Holder holder = listed.get();
        if (observed.leaseAlive() && record.names(holder.candidate(), holder.term())) {
            turn.conclude(new HolderConfirmation.Leads(holder));
            return state;
        }
        ConfirmState next = state.finding(holder, remembers(record, state.term()));
        if (turn.reached(turn.talk().giveUpAt())) {
            turn.conclude(new OperatorOutcome.Failed(
                    "the record kept changing", turn.talk().touched(), false));
        } else {
            turn.swap(observed, record.withProof(state.term(), state.said()));
        }
        return next;
    }

    private static boolean remembers(LeaderRecord record, long term) {
        return record.history().stream().anyMatch(past -> past.number() == term);
    }

    private static HolderConfirmation confirmed(ConfirmState state) {
        return new HolderConfirmation.Confirmed(state.found().orElseThrow(), state.said(), state.isInHistory());
    }
}
