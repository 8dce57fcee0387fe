package dev.incumbent.internal;

import dev.incumbent.TermListener;
import dev.incumbent.model.EndReason;
import java.util.Optional;

/** One term of a candidacy without a task, as its listener hears it: on a thread that listeners share, and that nobody waits for. */
record HeardRun(TermListener listener, CurrentLeadership leadership, ElectionDriver driver, Loop listeners)
        implements TermRun {
    @Override
    public void start() {
        listeners.execute(() -> {
            try {
                listener.begun(leadership);
            } catch (Throwable thrown) {
                driver.returned(leadership.term(), "the listener", Optional.of(thrown));
            }
        });
    }

    @Override
    public void ended(EndReason reason) {
        listeners.execute(() -> listener.ended(leadership, reason));
    }
}
