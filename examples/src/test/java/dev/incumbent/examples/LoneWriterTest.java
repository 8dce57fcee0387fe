package dev.incumbent.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.incumbent.Candidacy;
import dev.incumbent.Elections;
import dev.incumbent.coordinator.memory.MemoryCoordinator;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.model.Holder;
import dev.incumbent.model.NodeBoot;
import dev.incumbent.model.Timing;
import dev.incumbent.time.SystemTimeline;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A writer is listed for as long as it may write, and turns off whoever wrote before. */
@Tag("patient")
class LoneWriterTest {
    private static final Timing TIMING = Timing.ofLease(Duration.ofMinutes(1));
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Set<String> off = new ConcurrentSkipListSet<>();

    /** The power switch of a room whose machines are all on. */
    private final class Room implements LoneWriter.PowerSwitch {
        @Override
        public void turnOff(String node) {
            off.add(node);
        }

        @Override
        public boolean isOff(String node) {
            return off.contains(node);
        }
    }

    @Test
    void whoMayStillWriteIsListedAndNobodyIsConfirmedByMistake() throws Exception {
        try (SystemTimeline clocks = new SystemTimeline();
                Elections elections = Elections.over(
                                MemoryCoordinator.connect(new MemoryStore(clocks), clocks, TIMING.requestTimeout()))
                        .timing(TIMING)
                        .quiet()
                        .open()) {
            CountDownLatch stop = new CountDownLatch(1);
            NodeBoot here = new NodeBoot("n1", "boot-1", "writer");
            Candidacy writer = LoneWriter.alone(elections.election("disk"), here, new Room(), Runnable::run)
                    .campaign(leadership -> stop.await());

            writer.awaitLeadership(PATIENCE);

            assertThat(LoneWriter.unplugged(elections.admin("disk"), "n2", 1))
                    .extracting(Holder::term, Holder::on)
                    .containsExactly(tuple(1L, here));
            assertThat(off).as("nobody wrote before").isEmpty();
            stop.countDown();
        }
    }
}
