package dev.incumbent.simulation;

import java.time.Duration;

/**
 * The store's clock, as somebody sets it. A lease lapses by that clock: a dead leader's lease outlasts its length by as much as the clock was set back.
 * Hence the clock is never more than a few leases behind what it once showed, or no bound on a vacancy would hold.
 */
final class StoreClock {
    private static final int LEASES_BEHIND = 4;

    private final World world;
    private long stepped;
    private long highest;

    StoreClock(World world) {
        this.world = world;
        this.highest = shows();
    }

    void forward(Duration step) {
        set(step.toNanos());
    }

    /** By the step, or by less: it ends at most {@link #LEASES_BEHIND} leases behind. */
    void back(Duration step) {
        highest = Math.max(highest, shows());
        long behind = highest - shows();
        long left = LEASES_BEHIND * world.profile().leaseNanos() - behind;
        set(-Math.min(step.toNanos(), left));
    }

    private long shows() {
        return world.storeClock().nanos() + stepped;
    }

    private void set(long by) {
        stepped += by;
        world.store().stepClock(Duration.ofNanos(by));
    }
}
