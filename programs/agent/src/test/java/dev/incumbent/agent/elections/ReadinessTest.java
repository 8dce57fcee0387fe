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
        assertThat(isReady(readiness)).isTrue();

        readiness.onUnreachable("no answer");
        assertThat(isReady(readiness)).isFalse();

        readiness.onReachable(Duration.ofSeconds(3));
        assertThat(isReady(readiness)).isTrue();
    }

    @Test
    void aCoordinatorThatCannotReadIsNotReady() {
        ElectionName any = new ElectionName("incumbent-agent");
        Coordinator broken = (Coordinator) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Coordinator.class},
                (proxy, method, given) ->
                        CompletableFuture.completedFuture(Map.of(any, new Reading.Unread("its store is gone"))));

        assertThat(isReady(new Readiness(broken, strand))).isFalse();
    }

    private static boolean isReady(Readiness readiness) {
        return readiness
                .now()
                .toCompletableFuture()
                .orTimeout(10, TimeUnit.SECONDS)
                .join();
    }
}
