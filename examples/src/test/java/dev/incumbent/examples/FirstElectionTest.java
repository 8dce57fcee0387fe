package dev.incumbent.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.Candidacy;
import dev.incumbent.Elections;
import dev.incumbent.Leadership;
import dev.incumbent.coordinator.memory.MemoryCoordinator;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.Timing;
import dev.incumbent.time.SystemTimeline;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Begin here: two candidates, one election, over a coordinator in memory. */
@Tag("patient")
@Timeout(30)
class FirstElectionTest {
    private static final Timing TIMING = Timing.ofLease(Duration.ofMinutes(1));

    private final SystemTimeline time = new SystemTimeline();
    private final MemoryStore store = new MemoryStore(time);
    private final BlockingQueue<Leadership> begun = new LinkedBlockingQueue<>();

    @Test
    void oneLeadsAndWhenItResignsTheOtherDoesWithAGreaterToken() throws Exception {
        try (Elections ada = elections("ada");
                Elections bob = elections("bob")) {
            Candidacy first = ada.election("office").campaign(this::leadUntilInterrupted);
            Leadership adas = begun.take();
            Candidacy second = bob.election("office").campaign(this::leadUntilInterrupted);
            while (!second.health().enlisted()) {
                SystemTimeline.sleep(Duration.ofMillis(5));
            }

            assertThat(adas.holds()).isTrue();
            assertThat(adas.token().value()).isEqualTo(1);

            first.resign();
            Leadership bobs = begun.take();

            assertThat(adas.holds()).isFalse();
            assertThat(bobs.holds()).isTrue();
            assertThat(bobs.term().leader().name()).isEqualTo("bob");
            assertThat(bobs.token()).isGreaterThan(adas.token());
            assertThat(bobs.previousTerm().orElseThrow().reason()).isEqualTo(EndReason.RESIGNED);
        }
    }

    /** A leader's task: it runs on a thread of its own while this process leads, and is interrupted when it must stop. */
    private void leadUntilInterrupted(Leadership leadership) throws InterruptedException {
        begun.add(leadership);
        new CountDownLatch(1).await();
    }

    /** One process's elections; here two "processes" live in one JVM, each with a connection of its own. */
    private Elections elections(String candidate) {
        return Elections.over(MemoryCoordinator.connect(store, time, TIMING.requestTimeout()))
                .name(candidate)
                .timing(TIMING)
                .open();
    }
}
