package dev.incumbent.examples;

import dev.incumbent.Trace;
import dev.incumbent.model.ElectionName;
import dev.incumbent.protocol.Effect;
import dev.incumbent.protocol.ElectionState;
import dev.incumbent.protocol.Event;
import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.Step;
import java.util.function.Consumer;

/** Writes down what the machines decide, and what failed: for a bug report. */
public final class StepLog implements Trace {
    private final Consumer<String> lines;

    public StepLog(Consumer<String> lines) {
        this.lines = lines;
    }

    @Override
    public void stepped(ElectionName election, Event event, Step<ElectionState, Effect> step, Moment at) {
        if (!step.effects().isEmpty()) {
            lines.accept(at.wall() + " " + election + ": " + event + " -> " + step.effects());
        }
    }

    @Override
    public void failed(String what, Throwable failure) {
        lines.accept(what + ": " + failure);
    }
}
