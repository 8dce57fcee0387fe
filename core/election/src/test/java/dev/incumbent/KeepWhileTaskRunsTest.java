package dev.incumbent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.memory.MemoryCoordinator;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.model.Timing;
import dev.incumbent.time.VirtualTimeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Elections that keep their lease while a task does not stop. The time is virtual; after each step of it, each driver's thread takes a turn. */
class KeepWhileTaskRunsTest {
    private static final Timing TIMING = Timing.ofLease(Duration.ofSeconds(8));
    private static final Duration STEP = Duration.ofMillis(100);

    private final VirtualTimeline time = new VirtualTimeline();
    private final MemoryStore store = new MemoryStore(time);
    /** One of each process, which never leads. */
    private final List<Candidacy> idle = new ArrayList<>();

    private final BlockingQueue<Thread> begun = new LinkedBlockingQueue<>();
    private final CountDownLatch released = new CountDownLatch(1);

    @Test
    void noOtherProcessLeadsBeforeATaskThatDoesNotStopHasReturned() throws Exception {
        Candidacy first = open(builder("a").keepWhileTaskRuns()).election("job").campaign(stubborn());
        Thread task = begun.poll(10, TimeUnit.SECONDS);
        Candidacy second = open(builder("b")).election("job").campaign();

        first.resign();
        passUntil(() -> first.health().stalled());
        pass(TIMING.lease().multipliedBy(3));
        assertThat(second.leadership()).as("the task still runs").isEmpty();

        released.countDown();
        task.join(10_000);
        passUntil(() -> second.leadership().isPresent());
        assertThat(first.leadership()).isEmpty();
    }

    private Elections.Builder builder(String name) {
        return Elections.over(MemoryCoordinator.connect(store, time, TIMING.requestTimeout()))
                .name(name)
                .timing(TIMING)
                .timeline(time)
                .quiet();
    }

    private Elections open(Elections.Builder builder) {
        Elections elections = builder.open();
        Candidacy never = elections.election("idle").campaign();
        never.setHealthy(false);
        idle.add(never);
        return elections;
    }

    private LeaderTask stubborn() {
        return leadership -> {
            begun.add(Thread.currentThread());
            while (released.getCount() > 0) {
                try {
                    released.await();
                } catch (InterruptedException ignoredAsABadTaskWould) {
                    Thread.interrupted();
                }
            }
        };
    }

    private void passUntil(BooleanSupplier come) throws Exception {
        for (int i = 0; i < 300 && !come.getAsBoolean(); i++) {
            pass(STEP);
        }
        assertThat(come.getAsBoolean()).isTrue();
    }

    private void pass(Duration length) throws Exception {
        for (Duration left = length; left.compareTo(Duration.ZERO) > 0; left = left.minus(STEP)) {
            time.advance(STEP);
            for (Candidacy one : idle) {
                one.resign().toCompletableFuture().get(10, TimeUnit.SECONDS);
            }
        }
    }
}
