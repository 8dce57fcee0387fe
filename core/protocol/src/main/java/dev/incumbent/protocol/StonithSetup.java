package dev.incumbent.protocol;

import dev.incumbent.model.NodeBoot;
import dev.incumbent.model.Timing;
import java.time.Duration;

/**
 * That a process has whoever may still act turned off before it begins.
 *
 * @param on where this process runs, for those who may have to turn it off
 * @param bound how long turning off one holder and seeing it off takes at the most; then it has been killed
 */
public record StonithSetup(NodeBoot on, Duration bound) {
    public StonithSetup {
        if (bound.isZero() || bound.isNegative()) {
            throw new IllegalArgumentException(
                    "a fence agent's time is above zero, this one is " + bound.toMillis() + " ms");
        }
    }

    /** A guard that was renewed a request ago holds for the agent's whole time; otherwise it could never start. */
    public void checkAgainst(Timing timing) {
        Duration most = timing.validFor().minus(timing.requestTimeout());
        if (bound.compareTo(most) > 0) {
            throw new IllegalArgumentException("a fence agent has " + bound.toMillis() + " ms, but with a lease of "
                    + timing.lease().toMillis() + " ms the guard holds for " + most.toMillis()
                    + " ms after a renewal: make the lease longer, or the agent's time shorter");
        }
    }
}
