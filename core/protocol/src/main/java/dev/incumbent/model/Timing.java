package dev.incumbent.model;

import java.time.Duration;

/**
 * The durations of one process's elections. The constructor refuses durations that leave no room for a renewal and one retry before the task must stop:
 *
 * <p>{@code renewEvery + 2 * requestTimeout <= validFor - killReserve - stopBudget}, where {@code validFor = lease * (1-ρ)/(1+ρ) - margin}. Here ρ is {@link
 * #driftBound()}: the holder's clock may run slow by ρ, and the coordinator's clock fast by ρ.
 *
 * @param lease the length of the lease that the coordinator is asked for
 * @param renewEvery the time from the sending of one keep-alive to the sending of the next
 * @param requestTimeout the time limit of one call to the coordinator
 * @param stopBudget the time that a task has after its interrupt, until the leadership is invalid or the kill begins
 * @param killReserve the time that killed processes need to disappear; zero without {@code incumbent run}
 * @param driftBound how much the rate of a clock may err, such as 0.001
 * @param margin allows for the granularity of clocks and the length of a step; at least {@link #LEAST_MARGIN}
 */
public record Timing(
        Duration lease,
        Duration renewEvery,
        Duration requestTimeout,
        Duration stopBudget,
        Duration killReserve,
        double driftBound,
        Duration margin) {
    public static final double DRIFT_BOUND = 0.001;
    public static final Duration MARGIN = Duration.ofMillis(50);

    /** A clock may be 30 ms behind without being noticed; the rest is the time to act on what was read. */
    public static final Duration LEAST_MARGIN = Duration.ofMillis(40);

    public Timing {
        requirePositive("lease", lease);
        requirePositive("renewEvery", renewEvery);
        requirePositive("requestTimeout", requestTimeout);
        requireNotNegative("stopBudget", stopBudget);
        requireNotNegative("killReserve", killReserve);
        if (margin.compareTo(LEAST_MARGIN) < 0) {
            throw new IllegalArgumentException("margin is at least " + LEAST_MARGIN.toMillis()
                    + " ms, since clocks that differ by less are not told apart; this one is " + margin.toMillis()
                    + " ms");
        }
        if (!(driftBound >= 0 && driftBound < 1)) {
            throw new IllegalArgumentException("driftBound is at least 0 and below 1, this one is " + driftBound);
        }
        String unsafe = new Needs(renewEvery, requestTimeout, stopBudget, killReserve)
                .unmetBy(lease, Duration.ofNanos(validForNanos(lease, driftBound, margin)));
        if (!unsafe.isEmpty()) {
            throw new IllegalArgumentException(unsafe);
        }
    }

    /** The timing for a program that uses the library: tasks are interrupted, and no process is killed. */
    public static Timing ofLease(Duration lease) {
        return ofLease(lease, shorter(Duration.ofSeconds(5), lease.dividedBy(3)), Duration.ZERO);
    }

    /** The timing for a lease, a stop budget and a kill reserve. The other durations follow from the lease. */
    public static Timing ofLease(Duration lease, Duration stopBudget, Duration killReserve) {
        requirePositive("lease", lease);
        return new Timing(
                lease,
                lease.dividedBy(3),
                shorter(Duration.ofSeconds(2), lease.dividedBy(8)),
                stopBudget,
                killReserve,
                DRIFT_BOUND,
                MARGIN);
    }

    /** This timing, for clocks whose rates may err by that much. Throws if too little of the lease is left. */
    public Timing withDriftBound(double bound) {
        return new Timing(lease, renewEvery, requestTimeout, stopBudget, killReserve, bound, margin);
    }

    /** How long a lease of that length is valid for its holder, counted from before it was asked for. */
    public Duration validFor(Duration granted) {
        return Duration.ofNanos(validForNanos(granted));
    }

    /** {@link #validFor(Duration)} in nanoseconds, without an allocation. */
    public long validForNanos(Duration granted) {
        return validForNanos(granted, driftBound, margin);
    }

    /** {@link #validFor(Duration)} of the lease asked for. */
    public Duration validFor() {
        return validFor(lease);
    }

    /** Why this timing is unsafe with the lease that was granted, with the numbers; empty if it is safe. */
    public String unsafeOn(Duration granted) {
        return new Needs(renewEvery, requestTimeout, stopBudget, killReserve).unmetBy(granted, validFor(granted));
    }

    /** The time from the interrupt to the end of validity. */
    public Duration stopLead() {
        return stopBudget.plus(killReserve);
    }

    /** The durations for which a lease's validity must have room. */
    private record Needs(Duration renewEvery, Duration requestTimeout, Duration stopBudget, Duration killReserve) {
        String unmetBy(Duration granted, Duration valid) {
            Duration needed = renewEvery.plus(requestTimeout.multipliedBy(2));
            Duration left = valid.minus(killReserve).minus(stopBudget);
            if (needed.compareTo(left) <= 0) {
                return "";
            }
            return "unsafe timing: renewEvery " + renewEvery.toMillis() + " ms + 2 * requestTimeout "
                    + requestTimeout.toMillis() + " ms = " + needed.toMillis() + " ms, but a lease of "
                    + granted.toMillis() + " ms is valid for " + valid.toMillis() + " ms, less killReserve "
                    + killReserve.toMillis() + " ms and stopBudget " + stopBudget.toMillis() + " ms leaves "
                    + left.toMillis() + " ms";
        }
    }

    private static long validForNanos(Duration granted, double driftBound, Duration margin) {
        double shrunk = granted.toNanos() * ((1 - driftBound) / (1 + driftBound));
        return (long) shrunk - margin.toNanos();
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) <= 0 ? a : b;
    }

    private static void requirePositive(String what, Duration value) {
        if (value.isZero() || value.isNegative()) {
            throw new IllegalArgumentException(what + " is above zero, this one is " + value.toMillis() + " ms");
        }
    }

    private static void requireNotNegative(String what, Duration value) {
        if (value.isNegative()) {
            throw new IllegalArgumentException(what + " is at least zero, this one is " + value.toMillis() + " ms");
        }
    }
}
