package dev.incumbent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.memory.MemoryCoordinator;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.model.Timing;
import dev.incumbent.time.SystemTimeline;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A leader hands over by itself once a better rank stands, and not before that one has caught up. */
@Tag("realtime")
class MovesToBetterTest {
    private static final Timing TIMING = Timing.ofLease(Duration.ofSeconds(1));

    private final SystemTimeline time = new SystemTimeline();
    private final MemoryStore store = new MemoryStore(time);

    @AfterEach
    void close() {
        time.close();
    }

    @Test
    void theBetterLeadsOnceItHasComeAsFar() {
        try (Elections a = opened("a").movesToBetter(TIMING.lease()).open();
                Elections b = opened("b").priority(5).open()) {
            Candidacy old = a.election("job").campaign();
            old.reportPosition(100);
            await("a leads", () -> old.leadership().isPresent());

            Candidacy better = b.election("job").campaign();
            better.reportPosition(40);
            LockSupport.parkNanos(TIMING.lease().multipliedBy(4).toNanos());
            assertThat(old.leadership()).as("b is behind").isPresent();
            better.reportPosition(100);

            await("b leads", () -> better.leadership().isPresent());
            assertThat(better.leadership().orElseThrow().token().value()).isEqualTo(2);
        }
    }

    private Elections.Builder opened(String name) {
        return Elections.over(MemoryCoordinator.connect(store, time, TIMING.requestTimeout()))
                .name(name)
                .timing(TIMING)
                .timeline(time)
                .quiet();
    }

    private static void await(String what, BooleanSupplier come) {
        for (int i = 0; i < 1_000; i++) {
            if (come.getAsBoolean()) {
                return;
            }
            LockSupport.parkNanos(10_000_000);
        }
        throw new AssertionError(what + ": not within 10 s");
    }
}
