package dev.incumbent.supervisor;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits, with a bound, for what another process does. */
final class Await {
    private static final Duration LONGEST = Duration.ofSeconds(20);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private Await() {}

    /** Returns once the condition holds, or fails naming what was awaited. */
    static void until(String what, BooleanSupplier condition) {
        if (!holdsWithin(LONGEST, condition)) {
            throw new AssertionError("not within " + LONGEST.toSeconds() + " s: " + what);
        }
    }

    /** The same, within that time from now: for what has to come in time. */
    static void within(Duration time, String what, BooleanSupplier condition) {
        if (!holdsWithin(time, condition)) {
            throw new AssertionError("not within " + time.toMillis() + " ms: " + what);
        }
    }

    /** Lets time pass, watching that a condition goes on to hold. */
    static boolean holdsFor(Duration time, BooleanSupplier condition) {
        return !holdsWithin(time, () -> !condition.getAsBoolean());
    }

    static void pass(Duration time) {
        holdsWithin(time, () -> false);
    }

    private static boolean holdsWithin(Duration time, BooleanSupplier condition) {
        long deadline = System.nanoTime() + time.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return true;
    }
}
