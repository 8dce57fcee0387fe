package dev.incumbent.servers;

import dev.incumbent.time.SystemTimeline;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what comes, and not for ever. */
public final class Waiting {
    private static final Duration LONGEST = Duration.ofMinutes(3);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private Waiting() {}

    /** Until it holds; throws, naming what was waited for, if it does not within three minutes. */
    public static void until(String what, BooleanSupplier holds) {
        if (!within(LONGEST, holds)) {
            throw new IllegalStateException(what + " did not come within " + LONGEST);
        }
    }

    /** Until it holds, or that time has passed; says whether it holds. */
    public static boolean within(Duration bound, BooleanSupplier holds) {
        try (SystemTimeline time = new SystemTimeline()) {
            long end = time.nanos() + bound.toNanos();
            while (!holds.getAsBoolean()) {
                if (time.nanos() > end) {
                    return false;
                }
                LockSupport.parkNanos(POLL_NANOS);
            }
            return true;
        }
    }
}
