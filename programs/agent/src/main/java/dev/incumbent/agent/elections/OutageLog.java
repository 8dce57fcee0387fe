package dev.incumbent.agent.elections;

import dev.incumbent.ElectionListener;
import dev.incumbent.Elections;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;

/** Names the coordinator whose outage the line before is about, in the log of an agent that has several. Thread-safe. */
final class OutageLog implements ElectionListener {
    private final Logger logger = System.getLogger(Elections.LOGGER);
    private final String coordinator;

    OutageLog(String coordinator) {
        this.coordinator = coordinator;
    }

    @Override
    public void onUnreachable(String why) {
        logger.log(Level.WARNING, "it is the coordinator of {0} that gives {1}", coordinator, why);
    }

    @Override
    public void onReachable(Duration after) {
        logger.log(Level.INFO, "it is the coordinator of {0} that gives leases again", coordinator);
    }
}
