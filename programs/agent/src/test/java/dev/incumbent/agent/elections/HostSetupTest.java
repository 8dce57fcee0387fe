package dev.incumbent.agent.elections;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.agent.owners.OwnersSetup;
import dev.incumbent.coordinator.memory.MemoryCoordinator;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.memory.MemorySink;
import dev.incumbent.model.SinkId;
import dev.incumbent.model.Timing;
import dev.incumbent.time.VirtualTimeline;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What an answer may be worth, as the timing of the agent's lease allows. */
class HostSetupTest {
    private static final Timing TIMING = Timing.ofLease(Duration.ofSeconds(15));

    private final VirtualTimeline time = new VirtualTimeline();

    /** Once the stop budget is over, the library takes a transfer back, and vacates a record whose sinks are guarded, whatever its task does. */
    @Test
    void anAnswerIsWorthLessThanTheStopBudget() {
        Sink sink = new MemorySink(
                new dev.incumbent.fence.memory.MemoryStore(new SinkId("s")), time, Duration.ofSeconds(1));

        for (OwnersSetup owners : List.of(owners(List.of()), owners(List.of(sink)))) {
            assertThat(millis(owners.mostHoldNanos()))
                    .isEqualTo(TIMING.stopBudget().toMillis() - 100);
            assertThat(millis(owners.mostTtlNanos())).isEqualTo(15_000);
            assertThat(millis(owners.heartbeatNanos(TimeUnit.SECONDS.toNanos(9))))
                    .isEqualTo(4900 / 3);
        }
    }

    private OwnersSetup owners(List<Sink> sinks) {
        MemoryCoordinator coordinator = MemoryCoordinator.connect(new MemoryStore(time), time, TIMING.requestTimeout());
        return new HostSetup(coordinator, TIMING, Optional.empty(), "", sinks).owners();
    }

    private static long millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }
}
