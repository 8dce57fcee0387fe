package dev.incumbent.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class VirtualTimelineTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final VirtualTimeline time = new VirtualTimeline();
    private final long start = time.nanos();
    private final List<String> ran = new ArrayList<>();
    private long settings;

    @Test
    void alarmsRunInTheOrderOfTheirInstantsAndThenOfTheirSetting() {
        alarm(2, "late");
        alarm(1, "first");
        alarm(1, "second");

        time.advance(SECOND.multipliedBy(2));

        assertThat(ran).containsExactly("first at 1", "second at 1", "late at 2");
    }

    @Test
    void anAlarmThatSetsItselfForNowAgainAndAgainEndsTheMove() {
        time.at(start, () -> setAgain(Duration.ZERO));

        assertThatThrownBy(() -> time.advance(SECOND))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("the time cannot move on");
        assertThat(settings).isEqualTo(1_000_000);
    }

    @Test
    void anAlarmThatSetsItselfForThePastEveryOtherTimeEndsTheMove() {
        time.at(start + SECOND.toNanos() / 2, () -> setAgain(Duration.ofMillis(1)));

        assertThatThrownBy(() -> time.advance(SECOND)).isInstanceOf(IllegalStateException.class);
        assertThat(settings).isEqualTo(1_000_001);
    }

    @Test
    void alarmsAreCountedAnewAtEachInstant() {
        time.at(start, () -> setAgain(600_000));
        time.at(start + SECOND.toNanos(), () -> setAgain(600_000));

        time.advance(SECOND.multipliedBy(2));

        assertThat(secondsPassed()).isEqualTo(2);
    }

    private void setAgain(int times) {
        if (times > 0) {
            time.at(time.nanos(), () -> setAgain(times - 1));
        }
    }

    /** Every other time that long ago; no more than two million times. */
    private void setAgain(Duration ago) {
        settings++;
        if (settings < 2_000_000) {
            long at = time.nanos() - settings % 2 * ago.toNanos();
            time.at(at, () -> setAgain(ago));
        }
    }

    @Test
    void whatAnAlarmSetsForItsOwnMoveRunsInIt() {
        time.at(start + SECOND.toNanos(), () -> {
            alarm(1, "at once");
            alarm(3, "within");
            alarm(5, "beyond");
        });

        time.advance(SECOND.multipliedBy(4));

        assertThat(ran).containsExactly("at once at 1", "within at 3");
        assertThat(secondsPassed()).isEqualTo(4);
    }

    @Test
    void aCancelledAlarmDoesNotRun() {
        Timeline.Alarm alarm = alarm(1, "cancelled");

        alarm.cancel();
        time.advance(SECOND);

        assertThat(ran).isEmpty();
    }

    @Test
    void anAlarmOfThePastRunsAtTheNextMove() {
        alarm(-1, "past");

        time.runDue();

        assertThat(ran).containsExactly("past at 0");
    }

    @Test
    void aPauseMakesAlarmsLate() {
        alarm(1, "late");

        time.pause(SECOND.multipliedBy(5));

        assertThat(ran).containsExactly("late at 5");
    }

    @Test
    void inASuspendOnlyTheMonotonicClockStands() {
        long wall = time.wallMillis();
        long boot = time.bootNanos().orElseThrow();
        alarm(1, "not run");

        time.suspend(SECOND.multipliedBy(60));

        assertThat(secondsPassed()).isZero();
        assertThat(time.wallMillis() - wall).isEqualTo(60_000);
        assertThat(time.bootNanos().orElseThrow() - boot).isEqualTo(60_000_000_000L);
        assertThat(ran).isEmpty();
    }

    @Test
    void aStepMovesTheWallClockAlone() {
        long wall = time.wallMillis();
        long boot = time.bootNanos().orElseThrow();

        time.stepWall(Duration.ofSeconds(-30));

        assertThat(time.wallMillis() - wall).isEqualTo(-30_000);
        assertThat(time.bootNanos().orElseThrow()).isEqualTo(boot);
        assertThat(secondsPassed()).isZero();
    }

    @Test
    void someSystemsHaveNoBootTimeClock() {
        assertThat(VirtualTimeline.withoutBootClock().bootNanos()).isEmpty();
    }

    @Test
    void anAlarmCannotMoveTheTime() {
        time.at(start, time::runDue);

        assertThatThrownBy(time::runDue).hasMessageContaining("an alarm must not move it");
    }

    @Test
    void timeDoesNotMoveBack() {
        Duration back = Duration.ofNanos(-1);

        assertThatThrownBy(() -> time.advance(back)).hasMessageContaining("time moves forward only");
        assertThatThrownBy(() -> time.pause(back)).hasMessageContaining("time moves forward only");
        assertThatThrownBy(() -> time.suspend(back)).hasMessageContaining("time moves forward only");
        assertThat(time.nanos()).isEqualTo(start);
    }

    @Test
    void theWallClockBeginsWithTheYear2026() {
        assertThat(Instant.ofEpochMilli(time.wallMillis())).isEqualTo(Instant.parse("2026-01-01T00:00:00Z"));
    }

    @Test
    void otherThreadsMayReadTheClocksAfterAMove() throws Exception {
        time.advance(SECOND);

        long read = CompletableFuture.supplyAsync(time::nanos).get(10, TimeUnit.SECONDS);

        assertThat(read - start).isEqualTo(SECOND.toNanos());
    }

    private Timeline.Alarm alarm(long seconds, String name) {
        return time.at(start + seconds * SECOND.toNanos(), () -> ran.add(name + " at " + secondsPassed()));
    }

    private long secondsPassed() {
        return Duration.ofNanos(time.nanos() - start).toSeconds();
    }
}
