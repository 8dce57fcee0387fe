package dev.incumbent.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PauseDetectorTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final List<String> told = new ArrayList<>();
    private final PauseListener listener = new PauseListener() {
        @Override
        public void paused(Duration length) {
            told.add("paused " + length.toMillis());
        }

        @Override
        public void suspended(Duration length) {
            told.add("suspended " + length.toMillis());
        }

        @Override
        public void wallStepped(Duration by) {
            told.add("wall stepped " + by.toMillis());
        }
    };

    @Test
    void quietTimeTellsNothing() {
        VirtualTimeline time = new VirtualTimeline();
        PauseDetector.listen(time, listener);

        time.advance(SECOND.multipliedBy(10));
        time.pause(Duration.ofMillis(150));
        time.advance(SECOND);

        assertThat(told).isEmpty();
    }

    @Test
    void aPauseIsToldOnceWithItsLength() {
        VirtualTimeline time = new VirtualTimeline();
        PauseDetector.listen(time, listener);

        time.pause(SECOND.multipliedBy(3));
        time.advance(SECOND);

        assertThat(told).containsExactly("paused 2900");
    }

    @Test
    void aSuspendIsToldApartFromAStepByTheBootTimeClock() {
        VirtualTimeline time = new VirtualTimeline();
        PauseDetector.listen(time, listener);

        time.suspend(SECOND.multipliedBy(60));
        time.advance(SECOND);
        time.stepWall(Duration.ofSeconds(-5));
        time.advance(SECOND);

        assertThat(told).containsExactly("suspended 60000", "wall stepped -5000");
    }

    @Test
    void aSuspendAndAStepInOneTickAreToldBoth() {
        VirtualTimeline time = new VirtualTimeline();
        PauseDetector.listen(time, listener);

        time.suspend(SECOND.multipliedBy(60));
        time.stepWall(SECOND.multipliedBy(7));
        time.advance(SECOND);

        assertThat(told).containsExactly("suspended 60000", "wall stepped 7000");
    }

    @Test
    void withoutABootTimeClockASuspendLooksLikeAStep() {
        VirtualTimeline time = VirtualTimeline.withoutBootClock();
        PauseDetector.listen(time, listener);

        time.suspend(SECOND.multipliedBy(60));
        time.advance(SECOND);

        assertThat(told).containsExactly("wall stepped 60000");
    }

    @Test
    void aPauseIsToldOnlyAboveTheThreshold() {
        VirtualTimeline time = new VirtualTimeline();
        PauseDetector.listen(time, listener);
        Duration atTheThreshold = PauseDetector.TICK.plus(PauseDetector.THRESHOLD);

        time.pause(atTheThreshold);
        time.pause(atTheThreshold.plusNanos(1));

        assertThat(told).containsExactly("paused 200");
    }

    @Test
    void aStepOfTheWallClockIsToldOnlyAboveTheThreshold() {
        VirtualTimeline time = new VirtualTimeline();
        PauseDetector.listen(time, listener);

        for (int millis : new int[] {200, -200, 201, -201}) {
            time.stepWall(Duration.ofMillis(millis));
            time.advance(SECOND);
        }

        assertThat(told).containsExactly("wall stepped 201", "wall stepped -201");
    }

    @Test
    void besideASuspendAStepIsToldOnlyAboveTheThreshold() {
        VirtualTimeline time = new VirtualTimeline();
        PauseDetector.listen(time, listener);

        time.suspend(SECOND.multipliedBy(60));
        time.stepWall(PauseDetector.THRESHOLD);
        time.advance(SECOND);

        assertThat(told).containsExactly("suspended 60000");
    }

    @Test
    void besideAStepASuspendIsToldOnlyAboveTheThreshold() {
        VirtualTimeline time = new VirtualTimeline();
        PauseDetector.listen(time, listener);

        time.suspend(PauseDetector.THRESHOLD);
        time.stepWall(SECOND.multipliedBy(7));
        time.advance(SECOND);

        assertThat(told).containsExactly("wall stepped 7200");
    }

    @Test
    void aClosedDetectorTellsNothingMore() {
        VirtualTimeline time = new VirtualTimeline();
        PauseDetector detector = PauseDetector.listen(time, listener);

        detector.close();
        detector.close();
        time.pause(SECOND.multipliedBy(3));
        time.advance(SECOND);

        assertThat(told).isEmpty();
    }
}
