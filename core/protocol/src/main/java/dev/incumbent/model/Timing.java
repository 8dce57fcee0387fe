package dev.incumbent.model;

import java.time.Duration;

/**
 * The durations that one process elects by; any set that does not leave a renewal and one retry before the task must stop is
 * refused.
 *
 * <p>{@code renewEvery + 2 * requestTimeout <= validFor - killReserve - stopBudget}, where {@code validFor = lease * (1-ρ)/(1+ρ) -
 * margin} and ρ is {@link #driftBound()}: the holder's clock may run slow by ρ while the coordinator's runs fast by ρ.
 *
 * @param lease what is asked of the coordinator
 * @param renewEvery from the sending of one keep-alive to the next
 * @param requestTimeout the bound of one call to the coordinator
 * @param stopBudget what a task gets between being interrupted and being invalid
 * @param killReserve what a killed task's processes get to be gone
 * @param driftBound the greatest error of a clock's rate
 * @param margin covers the granularity of clocks and the length of a step; at least {@link #LEAST_MARGIN}
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

    /** A clock may be a little behind without anybody noticing it: 30 ms, and the rest is for acting on what it read. */
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

    /** The timing of a library user: tasks are interrupted, nothing is killed. */
    public static Timing ofLease(Duration lease) {
        return ofLease(lease, shorter(Duration.ofSeconds(5), lease.dividedBy(3)), Duration.ZERO);
    }

    /** The timing for a lease, a stop budget and a kill reserve; all else in proportion to the lease. */
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

    /** This timing, for clocks whose rates may err by that much; refused where too little of a lease is left by it. */
    public Timing withDriftBound(double bound) {
        return new Timing(lease, renewEvery, requestTimeout, stopBudget, killReserve, bound, margin);
    }

    /** How long a lease of that length is valid for its holder, counted from before it was asked for. */
    public Duration validFor(Duration granted) {
        return Duration.ofNanos(validForNanos(granted));
    }

    /** {@link #validFor(Duration)} in nanoseconds: each step asks. */
    public long validForNanos(Duration granted) {
        return validForNanos(granted, driftBound, margin);
    }

    /** {@link #validFor(Duration)} of the lease asked for. */
    public Duration validFor() {
        return validFor(lease);
    }

    /** Why these timings are unsafe on a lease really granted, with the numbers; empty where they are safe. */
    public String unsafeOn(Duration granted) {
        return new Needs(renewEvery, requestTimeout, stopBudget, killReserve).unmetBy(granted, validFor(granted));
    }

    /** From the interrupt to the end of validity. */
    public Duration stopLead() {
        return stopBudget.plus(killReserve);
    }

    /** What a lease's validity must have room for. */
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
