package dev.incumbent.protocol.operator;

/**
 * One operation under way, or over. Immutable; equal states take equal steps. Made by {@link OperatorProtocol}.
 */
public sealed interface OperatorState
        permits AskState, FreezeState, ThawState, CordonState, ConfirmState, PlanState, RetireState, Concluded {
    /** When it wants to be woken though nothing has happened; {@link dev.incumbent.protocol.Step#NEVER} where only an event matters. */
    long wakeAtNanos();
}
