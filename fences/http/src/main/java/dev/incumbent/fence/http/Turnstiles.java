package dev.incumbent.fence.http;

import dev.incumbent.model.ElectionName;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/**
 * Lets requests in beside each other, and a raise when none is inside; first come, first served. A fixed number of them, since clients name the elections: two that share
 * one wait for each other, and for nothing worse.
 */
final class Turnstiles {
    private static final int HOW_MANY = 256;
    private static final int MOST_INSIDE = 1 << 20;

    private final Semaphore[] all = Stream.generate(() -> new Semaphore(MOST_INSIDE, true))
            .limit(HOW_MANY)
            .toArray(Semaphore[]::new);

    /** Lets one request in: what it runs when it leaves; none in time otherwise. */
    Optional<Runnable> pass(ElectionName election, Duration atMost) throws InterruptedException {
        return taken(of(election), 1, atMost);
    }

    /** Waits until nobody is inside and lets nobody in until what it returns is run; none in time otherwise. */
    Optional<Runnable> closeFor(ElectionName election, Duration atMost) throws InterruptedException {
        return taken(of(election), MOST_INSIDE, atMost);
    }

    /** How many are inside, about. */
    int inside(ElectionName election) {
        return MOST_INSIDE - of(election).availablePermits();
    }

    private Semaphore of(ElectionName election) {
        return all[Math.floorMod(election.hashCode(), HOW_MANY)];
    }

    private static Optional<Runnable> taken(Semaphore turnstile, int permits, Duration atMost)
            throws InterruptedException {
        if (!turnstile.tryAcquire(permits, atMost.toNanos(), TimeUnit.NANOSECONDS)) {
            return Optional.empty();
        }
        AtomicBoolean left = new AtomicBoolean();
        return Optional.of(() -> {
            if (!left.getAndSet(true)) {
                turnstile.release(permits);
            }
        });
    }
}
