package dev.incumbent.protocol;

import java.time.Instant;

/**
 * When a step is taken: {@code nanos} on the driver's clock, which runs through suspends and decides; {@code wall} for people, which decides nothing.
 */
public record Moment(long nanos, Instant wall) {}
