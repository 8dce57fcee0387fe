package dev.incumbent.protocol.operator;

import java.util.List;

/** What a step comes to: the new state, what to do in this order, and when to come back though nothing has happened. */
public record OperatorStep(OperatorState state, List<OperatorEffect> effects, long wakeAtNanos) {
    public OperatorStep {
        effects = List.copyOf(effects);
    }
}
