package dev.incumbent.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.model.Timing;
import dev.incumbent.time.Timeline;
import dev.incumbent.time.VirtualTimeline;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
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
    void aWallClockSetBackNeitherStopsItNorTurnsItBack() {
        for (VirtualTimeline each : List.of(new VirtualTimeline(), VirtualTimeline.withoutBootClock())) {
            LeaseClock over = new LeaseClock(each);
            long before = over.nanos();

            each.stepWall(Duration.ofHours(-1));

            assertThat(over.nanos()).isEqualTo(before);
            each.advance(Duration.ofSeconds(3));
            assertThat(over.nanos() - before).isEqualTo(Duration.ofSeconds(3).toNanos());
            assertThat(over.slept()).isZero();
        }
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
    void whatHasSurelyPassedIsMovedByNoWallClock() {
        VirtualTimeline bare = VirtualTimeline.withoutBootClock();
        LeaseClock blind = new LeaseClock(bare);
        long before = blind.passedNanos();

        bare.stepWall(Duration.ofSeconds(40));
        bare.suspend(Duration.ofSeconds(30));
        bare.advance(Duration.ofSeconds(2));

        assertThat(Duration.ofNanos(blind.passedNanos() - before)).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void aSuspendThatTheBootClockTellsOfHasSurelyPassedButForItsCoarseness() {
        long before = clock.passedNanos();

        time.stepWall(Duration.ofHours(1));
        time.suspend(Duration.ofSeconds(30));

        assertThat(Duration.ofNanos(clock.passedNanos() - before))
                .isEqualTo(Duration.ofSeconds(30).minusNanos(LeaseClock.BOOT_TOLERANCE_NANOS));
        time.advance(Duration.ofSeconds(1));
        assertThat(Duration.ofNanos(clock.passedNanos() - before))
                .isEqualTo(Duration.ofSeconds(31).minusNanos(LeaseClock.BOOT_TOLERANCE_NANOS));
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
    void clocksThatDifferByTheToleranceAgreeAndNotByMore() {
        VirtualTimeline bare = VirtualTimeline.withoutBootClock();
        LeaseClock blind = new LeaseClock(bare);
        long before = blind.nanos();

        bare.stepWall(Duration.ofNanos(LeaseClock.TOLERANCE_NANOS));
        assertThat(blind.nanos() - before).isZero();

        bare.stepWall(Duration.ofMillis(1));
        assertThat(Duration.ofNanos(blind.nanos() - before)).isEqualTo(Duration.ofMillis(21));
        assertThat(blind.slept()).isEqualTo(Duration.ofMillis(21).toNanos());
    }

    @Test
    void withoutABootClockTimeThatPassesIsNoSuspend() {
        VirtualTimeline bare = VirtualTimeline.withoutBootClock();
        LeaseClock blind = new LeaseClock(bare);
        long before = blind.nanos();

        bare.advance(Duration.ofSeconds(10));

        assertThat(Duration.ofNanos(blind.nanos() - before)).isEqualTo(Duration.ofSeconds(10));
        assertThat(blind.slept()).isZero();
    }

    @Test
    void aWallClockSetBackByTheToleranceIsComparedWithWhereItWas() {
        VirtualTimeline bare = VirtualTimeline.withoutBootClock();
        LeaseClock blind = new LeaseClock(bare);
        long before = blind.nanos();
        bare.stepWall(Duration.ofNanos(-LeaseClock.TOLERANCE_NANOS));
        assertThat(blind.nanos()).isEqualTo(before);

        bare.suspend(Duration.ofMillis(30));

        assertThat(blind.nanos() - before).as("10 ms ahead of where it was").isZero();
    }

    /** It steps by ten milliseconds, or a thread may lose the processor between two readings: the greatest of a few is nearest to the truth. */
    @Test
    void ofAFewReadingsOfACoarseBootClockTheGreatestCounts() {
        VirtualTimeline exact = new VirtualTimeline();
        AtomicInteger readings = new AtomicInteger();
        Timeline coarse =
                new Coarse(exact, () -> readings.incrementAndGet() > 3 && readings.get() % 3 == 0 ? -40_000_000 : 0);
        LeaseClock over = new LeaseClock(coarse);
        long before = over.nanos();

        exact.stepWall(Duration.ofSeconds(1));

        assertThat(over.nanos() - before).isZero();
        exact.suspend(Duration.ofSeconds(5));
        assertThat(Duration.ofNanos(over.nanos() - before)).isEqualTo(Duration.ofSeconds(5));
    }

    /** A timeline whose boot-time clock is off by what the test says. */
    private record Coarse(VirtualTimeline exact, LongSupplier error) implements Timeline {
        @Override
        public long nanos() {
            return exact.nanos();
        }

        @Override
        public long wallMillis() {
            return exact.wallMillis();
        }

        @Override
        public OptionalLong bootNanos() {
            return OptionalLong.of(exact.bootNanos().orElseThrow() + error.getAsLong());
        }

        @Override
        public Alarm at(long instant, Runnable task) {
            return exact.at(instant, task);
        }
    }

    @Test
    void aWallClockSetBackIsTheOneThatCountsFromThere() {
        VirtualTimeline bare = VirtualTimeline.withoutBootClock();
        LeaseClock blind = new LeaseClock(bare);
        long before = blind.nanos();
        bare.stepWall(Duration.ofHours(-1));
        assertThat(blind.nanos()).isEqualTo(before);

        bare.suspend(Duration.ofSeconds(30));

        assertThat(Duration.ofNanos(blind.nanos() - before)).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void aBootClockThatIsAheadByTheToleranceHasSleptThroughNothing() {
        long before = clock.nanos();

        time.suspend(Duration.ofNanos(LeaseClock.BOOT_TOLERANCE_NANOS));
        clock.tick();
        assertThat(passed(before)).isEqualTo(Duration.ZERO);
        assertThat(clock.slept()).isZero();

        time.suspend(Duration.ofMillis(1));
        clock.tick();
        assertThat(passed(before)).as("all of it, not what came last").isEqualTo(Duration.ofMillis(31));
    }

    @Test
    void suspendsAddUp() {
        long before = clock.nanos();

        time.suspend(Duration.ofSeconds(30));
        clock.nanos();
        time.suspend(Duration.ofSeconds(20));

        assertThat(passed(before)).isEqualTo(Duration.ofSeconds(50));
        assertThat(clock.slept()).isEqualTo(Duration.ofSeconds(50).toNanos());
    }

    /** What the store proved before a suspend must not seem to be proved after it. */
    @Test
    void aReadingOfTheTimelineFromBeforeASuspendIsAsOldAsItWas() {
        long read = time.nanos();
        time.advance(Duration.ofSeconds(1));
        time.suspend(Duration.ofSeconds(30));
        long noticed = clock.nanos();

        assertThat(clock.ofTimeline(read)).isEqualTo(read);
        assertThat(clock.ofTimeline(time.nanos())).isEqualTo(noticed);
        assertThat(clock.onTimeline(noticed)).isEqualTo(time.nanos());
        time.advance(Duration.ofSeconds(1));
        assertThat(clock.ofTimeline(time.nanos())).isEqualTo(clock.nanos());
    }

    @Test
    void aWallClockThatIsSetMakesNoReadingOlder() {
        time.suspend(Duration.ofSeconds(30));
        clock.nanos();
        time.advance(Duration.ofSeconds(1));
        long read = time.nanos();
        long then = clock.nanos();
        time.advance(Duration.ofSeconds(1));

        time.stepWall(Duration.ofHours(1));
        clock.nanos();

        assertThat(clock.ofTimeline(read)).isEqualTo(then);
    }

    @Test
    void aMomentIsBothClocksAtOnce() {
        time.suspend(Duration.ofSeconds(30));

        assertThat(clock.moment().nanos()).isEqualTo(clock.nanos()).isNotEqualTo(time.nanos());
        assertThat(clock.moment().wall().toEpochMilli()).isEqualTo(time.wallMillis());
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
