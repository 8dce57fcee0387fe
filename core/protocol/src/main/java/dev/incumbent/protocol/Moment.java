package dev.incumbent.protocol;

import java.time.Instant;

/**
 * When a step is taken: {@code nanos} on the driver's clock, which runs through suspends and decides; the wall clock's time for people, which decides
 * nothing but when a transfer is due that was planned for a time of that clock.
 */
public record Moment(long nanos, long wallMillis) {
    public Moment(long nanos, Instant wall) {
        this(nanos, wall.toEpochMilli());
    }

    /** The wall clock's time, as records have it. */
    public Instant wall() {
        return Instant.ofEpochMilli(wallMillis);
    }
}
