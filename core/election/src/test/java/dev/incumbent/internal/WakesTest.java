package dev.incumbent.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.time.Timeline;
import dev.incumbent.time.VirtualTimeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A heap that is not settled any more may loop for ever, which nothing but another thread can notice. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WakesTest {
    private static final int SLEEPERS = 200;
    private static final int TURNS = 2_000;
    private static final int FARTHEST = 1_000;

    private final VirtualTimeline timeline = new VirtualTimeline();
    private final Wakes wakes = new Wakes(timeline);

    @Test
    void whateverIsSetAndPutOffAndUnsetEachSleeperIsWokenAtItsTimeAndOnce() {
        Random random = new Random(4);
        List<Sleeper> sleepers = new ArrayList<>();
        for (int i = 0; i < SLEEPERS; i++) {
            sleepers.add(new Sleeper());
        }

        for (int turn = 0; turn < TURNS; turn++) {
            Sleeper one = sleepers.get(random.nextInt(SLEEPERS));
            if (random.nextInt(4) == 0) {
                one.sleepOn();
            } else {
                one.sleepUntil(timeline.nanos() + random.nextInt(FARTHEST));
            }
            timeline.advance(Duration.ofNanos(random.nextInt(20)));

            assertThat(sleepers)
                    .allSatisfy(sleeper -> assertThat(sleeper.wokenAt).isEqualTo(sleeper.expected()));
        }
        assertThat(sleepers).anySatisfy(sleeper -> assertThat(sleeper.wokenAt).isNotEmpty());
    }

    @Test
    void whoFallsAsleepAgainWhileItIsWokenIsWokenAgain() {
        List<Long> woken = new ArrayList<>();
        Wakes.Wake[] itself = new Wakes.Wake[1];
        itself[0] = wakes.of(() -> {
            woken.add(timeline.nanos());
            if (woken.size() < 3) {
                itself[0].at(timeline.nanos() + 10);
            }
        });
        long begin = timeline.nanos();

        itself[0].at(begin + 10);
        timeline.advance(Duration.ofNanos(100));

        assertThat(woken).containsExactly(begin + 10, begin + 20, begin + 30);
    }

    @Test
    void whoSleptThroughASuspendIsWokenEarlierByThat() {
        Sleeper one = new Sleeper();
        Sleeper other = new Sleeper();
        long begin = timeline.nanos();
        one.wake.at(begin + 100);
        other.wake.at(begin + 500);

        wakes.advance(60);
        timeline.advance(Duration.ofNanos(39));
        assertThat(one.wokenAt).isEmpty();
        timeline.advance(Duration.ofNanos(1));

        assertThat(one.wokenAt).containsExactly(begin + 40);
        timeline.advance(Duration.ofNanos(1_000));
        assertThat(other.wokenAt).containsExactly(begin + 440);
    }

    @Test
    void nobodyIsLookedForWhereNobodySleepsAnyMore() {
        Sleeper one = new Sleeper();
        one.wake.at(timeline.nanos() + 10);
        one.wake.never();
        one.wake.never();
        wakes.advance(5);

        timeline.advance(Duration.ofNanos(100));

        assertThat(one.wokenAt).isEmpty();
    }

    @Test
    void theTimelineIsGivenOneAlarmAtATimeAndAnotherOnlyForWhoIsDueEarlier() {
        List<Long> given = new ArrayList<>();
        List<Long> cancelled = new ArrayList<>();
        Wakes few = new Wakes(noting(given, cancelled, new ArrayList<>()));

        for (long nanos : new long[] {100, 200, 100, 50, 50, 70}) {
            few.of(() -> {}).at(nanos);
        }

        assertThat(given).containsExactly(100L, 50L);
        assertThat(cancelled).containsExactly(100L);
    }

    /** What has begun to ring can no more be cancelled. */
    @Test
    void anAlarmThatRingsAlthoughItWasCancelledLeavesNoMoreThanOne() {
        List<Long> given = new ArrayList<>();
        List<Long> cancelled = new ArrayList<>();
        List<Runnable> tasks = new ArrayList<>();
        Wakes few = new Wakes(noting(given, cancelled, tasks));
        few.of(() -> {}).at(timeline.nanos() + 100);
        few.of(() -> {}).at(timeline.nanos() + 50);

        tasks.get(0).run();

        assertThat(given).hasSize(3);
        assertThat(cancelled).as("all but the last").containsExactlyElementsOf(given.subList(0, 2));
    }

    private Timeline noting(List<Long> given, List<Long> cancelled, List<Runnable> tasks) {
        return new Timeline() {
            @Override
            public long nanos() {
                return timeline.nanos();
            }

            @Override
            public long wallMillis() {
                return timeline.wallMillis();
            }

            @Override
            public OptionalLong bootNanos() {
                return timeline.bootNanos();
            }

            @Override
            public Alarm at(long nanos, Runnable task) {
                given.add(nanos);
                tasks.add(task);
                return () -> cancelled.add(nanos);
            }
        };
    }

    @Test
    void oneWhoThrowsKeepsNobodyAsleep() {
        List<String> heard = new ArrayList<>();
        Thread.currentThread().setUncaughtExceptionHandler((thread, e) -> heard.add(String.valueOf(e.getMessage())));
        wakes.of(() -> {
                    throw new IllegalStateException("not my day");
                })
                .at(timeline.nanos() + 1);
        wakes.of(() -> heard.add("awake")).at(timeline.nanos() + 1);

        timeline.advance(Duration.ofNanos(2));

        assertThat(heard).containsExactlyInAnyOrder("not my day", "awake");
        Thread.currentThread().setUncaughtExceptionHandler(null);
    }

    /** What it was woken at, and what it should have been. */
    private final class Sleeper {
        private final Wakes.Wake wake = wakes.of(() -> this.wokenAt.add(timeline.nanos()));
        private final List<Long> wokenAt = new ArrayList<>();
        private final List<Long> expected = new ArrayList<>();

        void sleepUntil(long nanos) {
            expected.removeIf(at -> at >= timeline.nanos() && at > last());
            expected.add(nanos);
            wake.at(nanos);
        }

        void sleepOn() {
            expected.removeIf(at -> at > last());
            wake.never();
        }

        private long last() {
            return wokenAt.isEmpty() ? Long.MIN_VALUE : wokenAt.get(wokenAt.size() - 1);
        }

        List<Long> expected() {
            return expected.stream().filter(at -> at <= timeline.nanos()).toList();
        }
    }
}
