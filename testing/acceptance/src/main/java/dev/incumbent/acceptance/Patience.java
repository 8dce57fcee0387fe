package dev.incumbent.acceptance;

import dev.incumbent.time.SystemTimeline;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for what comes, and not for ever. */
record Patience(SystemTimeline time) {
    private static final Duration POLL = Duration.ofMillis(20);

    /** True as soon as it holds, false where it does not within the bound. */
    boolean await(Duration bound, BooleanSupplier holds) throws InterruptedException {
        long end = time.nanos() + bound.toNanos();
        while (!holds.getAsBoolean()) {
            if (time.nanos() > end) {
                return false;
            }
            SystemTimeline.sleep(POLL);
        }
        return true;
    }
}
