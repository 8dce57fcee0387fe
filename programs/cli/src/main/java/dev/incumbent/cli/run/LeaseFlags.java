package dev.incumbent.cli.run;

import dev.incumbent.cli.clock.ClockError;
import dev.incumbent.cli.clock.DriftBound;
import dev.incumbent.cli.frame.Refusal;
import dev.incumbent.coordinator.Capabilities;
import dev.incumbent.model.Timing;
import dev.incumbent.telling.DurationText;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What the flags of a run say of its timing.
 *
 * @param stopBudget empty for the standard one, at most a third of the lease
 * @param clock what is known of this machine's clock
 */
record LeaseFlags(
        Duration lease,
        Optional<Duration> stopBudget,
        Duration killReserve,
        DriftBound driftBound,
        Optional<ClockError> clock) {
    private static final Duration STOP_BUDGET = Duration.ofSeconds(5);
    private static final long LONGEST_MILLIS = Duration.ofDays(1).toMillis();

    /** The timing; one that is unsafe is refused, with the numbers and the shortest lease that a coordinator of such promises takes with these flags. */
    Timing timing(Supplier<Optional<Capabilities>> coordinator, Consumer<String> warn) {
        try {
            return timing(lease, warn);
        } catch (IllegalArgumentException unsafe) {
            throw Refusal.configuration(shortest(coordinator.get())
                            .map(least -> "--lease " + DurationText.format(lease)
                                    + " is too short: the shortest that this coordinator takes with these flags is "
                                    + DurationText.format(least) + "; ")
                            .orElse("")
                    + unsafe.getMessage());
        }
    }

    private Timing timing(Duration length, Consumer<String> warn) {
        Duration third = length.dividedBy(3);
        Duration standard = third.compareTo(STOP_BUDGET) < 0 ? third : STOP_BUDGET;
        return Timing.ofLease(length, stopBudget.orElse(standard), killReserve)
                .withDriftBound(driftBound.over(length, () -> clock, warn));
    }

    /** To the millisecond, by halving: what is safe for a lease is safe for every longer one. Empty where none of a day is. */
    Optional<Duration> shortest(Optional<Capabilities> promises) {
        if (!isSafe(LONGEST_MILLIS)) {
            return Optional.empty();
        }
        long unsafe = 0;
        long safe = LONGEST_MILLIS;
        while (safe - unsafe > 1) {
            long middle = (safe + unsafe) / 2;
            if (isSafe(middle)) {
                safe = middle;
            } else {
                unsafe = middle;
            }
        }
        long least = safe;
        return Optional.of(
                Duration.ofMillis(promises.map(can -> granted(least, can)).orElse(least)));
    }

    private boolean isSafe(long millis) {
        try {
            timing(Duration.ofMillis(millis), told -> {});
            return true;
        } catch (IllegalArgumentException unsafe) {
            return false;
        }
    }

    private static long granted(long millis, Capabilities can) {
        long grain = Math.max(1, can.leaseGranularity().toMillis());
        return Math.max((millis + grain - 1) / grain * grain, can.leaseFloor().toMillis());
    }
}
