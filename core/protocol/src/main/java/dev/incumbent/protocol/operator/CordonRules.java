package dev.incumbent.protocol.operator;

import dev.incumbent.model.Cordon;
import dev.incumbent.model.Cordons;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.outcome.Cordoning;
import dev.incumbent.outcome.OperatorOutcome;
import java.time.Duration;
import java.util.Optional;

/** How a cordon is set or taken back: by one swap, whoever leads. A cordon that stands already stays as it is. */
final class CordonRules {
    private static final Duration GIVE_UP_AFTER = Duration.ofSeconds(10);

    private CordonRules() {}

    static OperatorState step(CordonState state, OperatorEvent event, Turn turn) {
        CordonState next = state;
        if (event instanceof OperatorEvent.Begun) {
            next = state.begunAt(turn.now().wall());
            turn.giveUpIn(GIVE_UP_AFTER);
            turn.read();
        } else if (!turn.takes(event)) {
            if (event instanceof OperatorEvent.RecordRead read) {
                swapOrConclude(state, read.observed(), turn);
            } else if (event instanceof OperatorEvent.SwapAccepted) {
                turn.conclude(done(state, true));
            }
        }
        return next.with(turn.talk());
    }

    private static void swapOrConclude(CordonState state, ObservedRecord observed, Turn turn) {
        LeaderRecord record = observed.record();
        Optional<Cordon> standing = record.cordons().of(state.asked().whom());
        if (!state.undo() && standing.isPresent()) {
            boolean mine = standing.get().by().equals(turn.who());
            turn.conclude(new Cordoning.Cordoned(standing.get(), mine));
        } else if (state.undo() && standing.isEmpty()) {
            turn.conclude(done(state, turn.talk().touched()));
        } else if (turn.reached(turn.talk().giveUpAt())) {
            turn.conclude(new OperatorOutcome.Failed(
                    "the record kept changing", turn.talk().touched(), false));
        } else {
            swap(state, observed, turn);
        }
    }

    private static void swap(CordonState state, ObservedRecord observed, Turn turn) {
        Cordons cordons = observed.record().cordons();
        Optional<String> refusal = state.undo() ? Optional.empty() : cordons.refusal(state.asked());
        if (refusal.isPresent()) {
            turn.conclude(new Cordoning.Full(refusal.get()));
        } else {
            Cordons next = state.undo() ? cordons.without(state.asked().whom()) : cordons.with(state.asked());
            turn.swap(observed, observed.record().withCordons(next));
        }
    }

    private static Cordoning done(CordonState state, boolean changed) {
        return state.undo()
                ? new Cordoning.Uncordoned(state.asked().whom(), changed)
                : new Cordoning.Cordoned(state.asked(), changed);
    }
}
