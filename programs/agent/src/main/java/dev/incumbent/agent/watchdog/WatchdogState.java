package dev.incumbent.agent.watchdog;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The watchdog of a host, and those whom it guards. Immutable.
 *
 * @param firesAtNanos when the device restarts the host, unless it is fed or stopped before; empty while it is stopped
 * @param renewed has a renewal succeeded since the device was fed last?
 * @param askedUntilNanos the end that the last question to count named: of the leadership that ended first then; the least number if there was none since the device was stopped
 * @param asked is the device's answer awaited?
 * @param gone why nothing can be done to the device, if so
 */
public record WatchdogState(
        List<Watched> watched,
        OptionalLong firesAtNanos,
        boolean renewed,
        long askedUntilNanos,
        boolean asked,
        Optional<String> gone) {
    /** Nobody holds the device yet. */
    public static final WatchdogState EMPTY = new WatchdogState(
            List.of(), OptionalLong.empty(), false, Long.MIN_VALUE, false, Optional.of("the agent has just begun"));

    public WatchdogState {
        watched = List.copyOf(watched);
    }
}
