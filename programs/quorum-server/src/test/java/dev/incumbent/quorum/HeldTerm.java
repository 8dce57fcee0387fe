package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.Candidacy;
import dev.incumbent.Elections;
import dev.incumbent.Leadership;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.quorum.QuorumCoordinatorProvider;
import dev.incumbent.model.Timing;
import dev.incumbent.servers.Waiting;
import dev.incumbent.time.SystemTimeline;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.opentest4j.TestAbortedException;

/** One program's term over a quorum, that is to go on. */
final class HeldTerm implements AutoCloseable {
    private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final SystemTimeline time = new SystemTimeline();
    private final Timing timing;
    private final Coordinator client;
    private final Elections elections;
    private final Candidacy candidacy;
    private final Leadership leadership;
    private final AtomicInteger renewals = new AtomicInteger();

    /** Returns once it leads. */
    HeldTerm(String uri, Duration lease) {
        timing = Timing.ofLease(lease);
        client = new QuorumCoordinatorProvider().open(uri, time, timing.requestTimeout(), Mode.CREATE);
        elections = Elections.over(client).name("ada").timing(timing).open();
        candidacy = elections.election("held/" + UUID.randomUUID()).campaign(HeldTerm::untilInterrupted);
        Waiting.until("a term", () -> candidacy.leadership().isPresent());
        leadership = candidacy.leadership().orElseThrow();
        leadership.onRenewed(validity -> renewals.incrementAndGet());
    }

    private static void untilInterrupted(Leadership leadership) throws InterruptedException {
        new CountDownLatch(1).await();
    }

    /** Asserts that the term holds while this is done, and is renewed for another lease. */
    void outlives(Runnable trouble) {
        CompletableFuture<Void> done = CompletableFuture.runAsync(trouble, task -> new Thread(task, "trouble").start());
        holdsUntil(done::isDone);
        done.join();
        long end = time.nanos() + timing.lease().toNanos();
        holdsUntil(() -> time.nanos() - end > 0);
        assertThat(candidacy.leadership()).contains(leadership);
    }

    /** Where this machine has stood still since the last renewal, for as long as there is between two, the end of the term tells nothing. */
    private void holdsUntil(BooleanSupplier over) {
        long stoodStillNanos = 0;
        int renewed = renewals.get();
        while (!over.getAsBoolean()) {
            if (!leadership.holds()) {
                Duration stoodStill = Duration.ofNanos(stoodStillNanos);
                if (stoodStill.compareTo(timing.renewEvery()) >= 0) {
                    throw new TestAbortedException("machine too slow to judge: the term ended, and since its last"
                            + " renewal the machine stood still for " + stoodStill);
                }
                throw new AssertionError("the term ended: "
                        + leadership.ended().toCompletableFuture().join());
            }
            long before = time.nanos();
            LockSupport.parkNanos(STEP_NANOS);
            stoodStillNanos += Math.max(0, time.nanos() - before - 2 * STEP_NANOS);
            if (renewals.get() != renewed) {
                renewed = renewals.get();
                stoodStillNanos = 0;
            }
        }
    }

    @Override
    public void close() {
        candidacy.close();
        elections.close();
        client.close();
        time.close();
    }
}
