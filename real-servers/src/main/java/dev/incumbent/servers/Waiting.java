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
        try (SystemTimeline time = new SystemTimeline()) {
            long end = time.nanos() + LONGEST.toNanos();
            while (!holds.getAsBoolean()) {
                if (time.nanos() > end) {
                    throw new IllegalStateException(what + " did not come within " + LONGEST);
                }
                LockSupport.parkNanos(POLL_NANOS);
            }
        }
    }
}
