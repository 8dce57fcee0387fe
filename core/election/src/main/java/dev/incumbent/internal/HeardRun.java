package dev.incumbent.internal;

import dev.incumbent.TermListener;
import dev.incumbent.model.EndReason;
import java.util.Optional;

/** One term of a candidacy without a task, as its listener hears it: among its candidacy's other user code, and nobody waits for it. */
record HeardRun(TermListener listener, CurrentLeadership leadership, ElectionDriver driver) implements TermRun {
    @Override
    public void start() {
        driver.userCode().execute(() -> {
            try {
                listener.onGranted(leadership);
            } catch (Throwable thrown) {
                driver.returned(leadership.term(), "the listener", Optional.of(thrown), true);
            }
        });
    }

    @Override
    public void ended(EndReason reason) {
        driver.userCode().execute(() -> listener.onRevoked(leadership, reason));
    }
}
