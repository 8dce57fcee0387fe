package dev.incumbent.adverse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.Elections;
import dev.incumbent.Leadership;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.model.Timing;
import dev.incumbent.time.SystemTimeline;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/** One process that holds many offices: what that costs its store and itself is what one would. Nothing here is judged by how fast it is. */
public final class ManyOffices {
    private static final int THREADS = 20;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int LEASES = 2;
    private static final int THIRDS = 3;

    private final int offices;
    private final Timing timing;
    private final AtomicInteger held = new AtomicInteger();

    public ManyOffices(int offices, Duration lease) {
        this.offices = offices;
        this.timing = Timing.ofLease(lease);
    }

    public Duration requestTimeout() {
        return timing.requestTimeout();
    }

    /** Wins them all and holds them for two leases, in which the server, by its own count, is told not many more keep-alives than thirds of a lease pass. */
    public void areKeptByOneKeepAlive(Coordinator coordinator, SystemTimeline timeline, LongSupplier serversCount) {
        String prefix = "many/" + UUID.randomUUID() + "/";
        try (Elections elections = Elections.over(coordinator)
                .name("holder")
                .timing(timing)
                .timeline(timeline)
                .open()) {
            for (int i = 0; i < offices; i++) {
                elections.election(prefix + i).campaign(this::hold);
            }
            waitUntilAllAreHeld(timeline);

            long before = serversCount.getAsLong();
            long since = timeline.nanos();
            pass(timeline, timing.lease().multipliedBy(LEASES));
            long kept = serversCount.getAsLong() - before;
            double thirds = (double) (timeline.nanos() - since)
                    * THIRDS
                    / timing.lease().toNanos();

            // One that failed is sent again; and one more may lie at either end.
            assertThat(kept)
                    .as("keep-alives in %.1f thirds of a lease", thirds)
                    .isBetween(1L, 2 + Math.round(1.5 * thirds));
            assertThat(threads()).as("threads of ours").isBetween(1L, (long) THREADS);
        }
    }

    private void hold(Leadership leadership) {
        held.incrementAndGet();
        while (!Thread.currentThread().isInterrupted()) {
            LockSupport.park(leadership);
        }
        held.decrementAndGet();
    }

    private void waitUntilAllAreHeld(SystemTimeline timeline) {
        long end = timeline.nanos() + PATIENCE.toNanos();
        while (held.get() < offices) {
            assertThat(timeline.nanos())
                    .as("%s of %s won in %s", held, offices, PATIENCE)
                    .isLessThan(end);
            LockSupport.parkNanos(10_000_000);
        }
    }

    private static void pass(SystemTimeline timeline, Duration length) {
        long end = timeline.nanos() + length.toNanos();
        for (long left = length.toNanos(); left > 0; left = end - timeline.nanos()) {
            LockSupport.parkNanos(left);
        }
    }

    /** A task has a thread of its own, where the JVM has virtual ones none of the platform's. */
    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("incumbent-") && !name.startsWith("incumbent-task-"))
                .count();
    }
}
