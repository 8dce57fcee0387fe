package dev.incumbent.agent.elections;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.memory.MemoryCoordinator;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.model.ElectionName;
import dev.incumbent.time.SystemTimeline;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What it takes to be ready. */
class ReadinessTest {
    private final SystemTimeline time = new SystemTimeline();
    private final Strand strand = new Strand();

    @AfterEach
    void end() {
        strand.close();
        time.close();
    }

    @Test
    void whoCannotKeepItsLeaseIsNotReadyThoughTheCoordinatorAnswers() {
        Readiness readiness =
                new Readiness(MemoryCoordinator.connect(new MemoryStore(time), time, Duration.ofSeconds(1)), strand);
        assertThat(lack(readiness)).isEmpty();

        readiness.onUnreachable("no lease: the coordinator lacks a right of user app");
        assertThat(lack(readiness)).contains("no lease");

        readiness.onReachable(Duration.ofSeconds(3));
        assertThat(lack(readiness)).isEmpty();
    }

    @Test
    void aCoordinatorThatCannotReadIsNotReady() {
        ElectionName any = new ElectionName("incumbent-agent");
        Coordinator broken = (Coordinator) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Coordinator.class},
                (proxy, method, given) ->
                        CompletableFuture.completedFuture(Map.of(any, new Reading.Unread("its store is gone"))));

        assertThat(lack(new Readiness(broken, strand))).contains("no answer");
    }

    private static Optional<String> lack(Readiness readiness) {
        return readiness
                .lack()
                .toCompletableFuture()
                .orTimeout(10, TimeUnit.SECONDS)
                .join();
    }
}
