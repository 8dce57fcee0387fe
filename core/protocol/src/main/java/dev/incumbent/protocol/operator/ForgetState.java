package dev.incumbent.protocol.operator;

import dev.incumbent.model.SinkId;

/** The retiring of a sink, or its undoing, under way. */
record ForgetState(Talk talk, SinkId sink, boolean undo) implements OperatorState {
    static ForgetState of(String who, SinkId sink, boolean undo) {
        return new ForgetState(Talk.of(who), sink, undo);
    }

    @Override
    public long wakeAtNanos() {
        return talk.askAgainAt();
    }

    ForgetState with(Talk now) {
        return new ForgetState(now, sink, undo);
    }
}
