package dev.incumbent.protocol.operator;

import dev.incumbent.model.SinkId;

/** The retiring of a sink, or its undoing, under way. */
record RetireState(Talk talk, SinkId sink, boolean undo) implements OperatorState {
    static RetireState of(String who, SinkId sink, boolean undo) {
        return new RetireState(Talk.of(who), sink, undo);
    }

    @Override
    public long wakeAtNanos() {
        return talk.askAgainAt();
    }

    RetireState with(Talk now) {
        return new RetireState(now, sink, undo);
    }
}
