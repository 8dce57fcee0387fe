package dev.incumbent.agent;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits, with a bound, for what another thread does. */
final class Await {
    /** Less than {@link AgentAtWork#LONG_TTL} and than the long leases: what comes only with their end has failed. */
    private static final Duration LONGEST = Duration.ofSeconds(40);

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private Await() {}

    /** Returns once the condition holds, or fails naming what was awaited. */
    static void until(String what, BooleanSupplier condition) {
        within(LONGEST, what, condition);
    }

    /** The same, within that time from now. */
    static void within(Duration time, String what, BooleanSupplier condition) {
        within(System.nanoTime(), time, what, condition);
    }

    /** The same, for what comes at the end of a time that began then: not before it, and less than the same time late. */
    static void punctually(long since, Duration due, String what, BooleanSupplier condition) {
        within(since, due.multipliedBy(2), what, condition);
        if (System.nanoTime() - since < due.toNanos()) {
            throw new AssertionError("before " + due.toMillis() + " ms had passed: " + what);
        }
    }

    private static void within(long since, Duration time, String what, BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - since > time.toNanos()) {
                throw new AssertionError("not within " + time.toMillis() + " ms: " + what);
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        if (System.nanoTime() - since > time.toNanos()) {
            throw new AssertionError("not within " + time.toMillis() + " ms, and then it came: " + what);
        }
    }
}
