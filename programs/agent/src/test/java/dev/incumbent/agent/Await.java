package dev.incumbent.agent;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits, with a bound, for what another thread does. */
final class Await {
    private static final Duration LONGEST = Duration.ofSeconds(40);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private Await() {}

    /** Returns once the condition holds, or fails naming what was awaited. */
    static void until(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + LONGEST.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("not within " + LONGEST.toSeconds() + " s: " + what);
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
