package dev.incumbent.fence.http;

import dev.incumbent.model.ElectionName;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Lets requests of an election in beside each other, and a raise when none is inside; first come, first served. Each election has a turnstile of its own. */
final class Turnstiles {
    private static final int MOST_INSIDE = 1 << 20;

    private final Map<ElectionName, Semaphore> all;

    Turnstiles(Set<ElectionName> elections) {
        all = elections.stream()
                .collect(Collectors.toUnmodifiableMap(Function.identity(), name -> new Semaphore(MOST_INSIDE, true)));
    }

    /** Is there one for that election? */
    boolean isFor(ElectionName election) {
        return all.containsKey(election);
    }

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
        return Optional.ofNullable(all.get(election))
                .orElseThrow(() -> new IllegalArgumentException("no turnstile is for " + election));
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
