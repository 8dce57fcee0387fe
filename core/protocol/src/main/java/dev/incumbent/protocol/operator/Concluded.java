package dev.incumbent.protocol.operator;

import dev.incumbent.outcome.OperatorOutcome;
import dev.incumbent.protocol.Step;

/** An operation that is over: it hears nothing more. */
public record Concluded(OperatorOutcome outcome) implements OperatorState {
    @Override
    public long wakeAtNanos() {
        return Step.NEVER;
    }
}
