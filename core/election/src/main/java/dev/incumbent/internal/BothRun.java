package dev.incumbent.internal;

import dev.incumbent.model.EndReason;

/** A task and, beside it, a listener of the same term. The task alone is waited for, and decides how the term ends. */
record BothRun(TermRun task, TermRun listener) implements TermRun {
    @Override
    public void start() {
        listener.start();
        task.start();
    }

    @Override
    public void validityExtended() {
        task.validityExtended();
    }

    @Override
    public boolean interrupt() {
        return task.interrupt();
    }

    @Override
    public void ended(EndReason reason) {
        task.ended(reason);
        listener.ended(reason);
    }
}
