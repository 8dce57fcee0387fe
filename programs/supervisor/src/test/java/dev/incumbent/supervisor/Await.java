package dev.incumbent.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits, with a bound, for what another process does. */
final class Await {
    /** Far less than the lease of a test that does not wait for its end: what comes only with that has failed. */
    static final Duration LONGEST = Duration.ofSeconds(20);

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private Await() {}

    /** What is waited for, and told. */
    @FunctionalInterface
    interface Told<T, E extends Exception> {
        T tell() throws E;
    }

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

    /**
     * What that tells, which it tells at the end of that time, counted from when this clock told {@code since}: not before it, and less than the same
     * time late, so that an end that comes a whole lease late has failed.
     */
    static <T, E extends Exception> T punctually(long since, Duration due, Told<T, E> what) throws E {
        T told = what.tell();
        Duration took = Duration.ofNanos(System.nanoTime() - since);
        assertThat(took).as("when it ended").isGreaterThanOrEqualTo(due);
        inTime(took, due.multipliedBy(2));
        return told;
    }

    /** What that tells, which it tells within that time from now. */
    static <T, E extends Exception> T within(Duration time, Told<T, E> what) throws E {
        long since = System.nanoTime();
        T told = what.tell();
        inTime(Duration.ofNanos(System.nanoTime() - since), time);
        return told;
    }

    private static void inTime(Duration took, Duration most) {
        if (took.compareTo(most) >= 0) {
            throw new AssertionError("not within " + most.toMillis() + " ms: it took " + took.toMillis() + " ms");
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
