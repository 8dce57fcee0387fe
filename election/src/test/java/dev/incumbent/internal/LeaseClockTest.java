package dev.incumbent.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.model.Timing;
import dev.incumbent.time.VirtualTimeline;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The clock of leases runs through what stops the machine's own, and ends nobody for a wall clock set forward. */
class LeaseClockTest {
    private final VirtualTimeline time = new VirtualTimeline();
    private final LeaseClock clock = new LeaseClock(time);

    @Test
    void itRunsThroughASuspendThatStopsTheMonotonicClock() {
        long before = clock.nanos();

        time.suspend(Duration.ofSeconds(30));

        assertThat(passed(before)).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void aWallClockSetForwardEndsNobodyWhereABootClockSaysOtherwise() {
        long before = clock.nanos();

        time.stepWall(Duration.ofHours(1));

        assertThat(passed(before)).isEqualTo(Duration.ZERO);
        time.advance(Duration.ofSeconds(1));
        assertThat(passed(before)).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void withoutABootClockWhicheverSaysLaterWins() {
        VirtualTimeline bare = VirtualTimeline.withoutBootClock();
        LeaseClock blind = new LeaseClock(bare);
        long before = blind.nanos();

        bare.stepWall(Duration.ofSeconds(40));

        assertThat(Duration.ofNanos(blind.nanos() - before)).isEqualTo(Duration.ofSeconds(40));
    }

    @Test
    void aSuspendHiddenBehindAWallClockSetBackIsFoundByTheNextTick() {
        long before = clock.nanos();
        time.suspend(Duration.ofSeconds(30));
        time.stepWall(Duration.ofSeconds(-30));

        clock.tick();

        assertThat(passed(before)).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void itNeverGoesBack() {
        long last = clock.nanos();
        for (int i = 0; i < 200; i++) {
            switch (i % 4) {
                case 0 -> time.stepWall(Duration.ofSeconds(i - 100L));
                case 1 -> time.suspend(Duration.ofMillis(i));
                case 2 -> time.advance(Duration.ofMillis(i));
                default -> clock.tick();
            }
            long now = clock.nanos();
            assertThat(now).isGreaterThanOrEqualTo(last);
            last = now;
        }
    }

    @Test
    void noTimingHasAMarginThatAnUnnoticedSuspendExceeds() {
        assertThat(Timing.LEAST_MARGIN.toNanos())
                .isGreaterThan(LeaseClock.TOLERANCE_NANOS)
                .isGreaterThan(LeaseClock.BOOT_TOLERANCE_NANOS);
    }

    private Duration passed(long before) {
        return Duration.ofNanos(clock.nanos() - before);
    }
}
