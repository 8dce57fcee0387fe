package dev.incumbent;

/**
 * How long a leadership is valid, on the timeline's monotonic clock.
 *
 * @param sentAtNanos just before the request left that this rests on
 * @param stopAtNanos when a task must begin to stop
 * @param untilNanos when the guard refuses
 */
public record Validity(long sentAtNanos, long stopAtNanos, long untilNanos) {}
