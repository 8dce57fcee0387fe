package dev.incumbent.coordinator.redis;

import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;

/**
 * How long a proposer that met another waits before its next round: at random, up to as long as its own last round took, doubled with each try. Waits that are short
 * beside a round change nothing: the next two rounds meet as the last two did. Never more than a quarter of the time that is left, so that tries remain.
 */
final class Backoff {
    private static final long SHORTEST_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final int MOST_DOUBLINGS = 6;
    private static final int TRIES_LEFT = 4;

    private final DoubleSupplier random;

    /** {@code random} tells numbers from 0 to below 1. */
    Backoff(DoubleSupplier random) {
        this.random = random;
    }

    /** In nanoseconds. {@code attempt} counts from 0. */
    long afterRound(long roundNanos, int attempt, long leftNanos) {
        long longest = Math.max(SHORTEST_NANOS, roundNanos) << Math.min(attempt, MOST_DOUBLINGS);
        return (long) (random.getAsDouble() * Math.min(longest, leftNanos / TRIES_LEFT));
    }
}
