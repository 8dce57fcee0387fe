package dev.incumbent.internal;

import dev.incumbent.TermListener;
import dev.incumbent.model.EndReason;
import java.util.Optional;

/**
 * One term of a candidacy, as its listener hears it: among its candidacy's other user code, and nobody waits for it.
 *
 * @param isAlone whether there is no task: then a listener that throws ends the term
 */
record HeardRun(TermListener listener, boolean isAlone, CurrentLeadership leadership, ElectionDriver driver)
        implements TermRun {
    @Override
    public void start() {
        driver.userCode().execute(() -> {
            try {
                listener.onGranted(leadership);
            } catch (Throwable thrown) {
                threw(thrown);
            }
        });
    }

    /** While a task runs, it must not seem to have returned. */
    private void threw(Throwable thrown) {
        if (isAlone) {
            driver.returned(leadership.term(), "the listener", Optional.of(thrown), true);
        } else {
            driver.threw(leadership.term(), "the listener", thrown);
        }
    }

    @Override
    public void ended(EndReason reason) {
        driver.userCode().execute(() -> listener.onRevoked(leadership, reason));
    }
}
