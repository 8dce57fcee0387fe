package dev.incumbent.lab.world;

import java.time.Duration;

/**
 * One fault of a plan.
 *
 * @param at when it happens, from the end of the warm-up
 * @param length for how long; of no meaning for a step of a clock, a handover and a store that forgets
 * @param amount how much, where the kind says so
 */
public record LabFault(Duration at, FaultKind kind, FaultTarget target, Duration length, double amount) {
    public LabFault {
        if (at.isNegative() || length.isNegative()) {
            throw new IllegalArgumentException(
                    "a fault happens at 0 or later and has a length of 0 or more, not " + at + ", " + length);
        }
    }

    public LabFault(Duration at, FaultKind kind, FaultTarget target, Duration length) {
        this(at, kind, target, length, 0);
    }
}
