package dev.incumbent.protocol.operator;

import dev.incumbent.model.Cordon;
import java.time.Instant;

/**
 * A cordon, or taking one back, under way.
 *
 * @param asked whom, by whom and why; its time is that of the first step
 */
record CordonState(Talk talk, Cordon asked, boolean undo) implements OperatorState {
    static CordonState of(Cordon asked, boolean undo) {
        return new CordonState(Talk.of(asked.by()), asked, undo);
    }

    @Override
    public long wakeAtNanos() {
        return talk.askAgainAt();
    }

    CordonState with(Talk now) {
        return new CordonState(now, asked, undo);
    }

    CordonState begunAt(Instant time) {
        return new CordonState(talk, new Cordon(asked.whom(), asked.by(), asked.why(), time), undo);
    }
}
