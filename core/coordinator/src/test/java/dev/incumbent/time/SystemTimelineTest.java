package dev.incumbent.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SystemTimelineTest {
    private static final long MILLI = 1_000_000;

    private final SystemTimeline time = new SystemTimeline();

    @AfterEach
    void close() {
        time.close();
    }

    @Test
    void anAlarmRunsNoEarlierThanItsInstantOnADaemonThread() throws Exception {
        CompletableFuture<Long> ranAt = new CompletableFuture<>();
        CompletableFuture<Boolean> daemon = new CompletableFuture<>();
        long due = time.nanos() + 30 * MILLI;

        Thread setter = new Thread(() -> time.at(due, () -> {
            ranAt.complete(time.nanos());
            daemon.complete(Thread.currentThread().isDaemon());
        }));
        setter.setDaemon(false);
        setter.start();

        assertThat(ranAt.get(10, TimeUnit.SECONDS) - due).isNotNegative();
        assertThat(daemon.get(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aTaskThatThrowsDoesNotEndTheAlarms() throws Exception {
        CompletableFuture<Throwable> told = new CompletableFuture<>();
        CountDownLatch next = new CountDownLatch(1);
        time.at(time.nanos(), () -> Thread.currentThread().setUncaughtExceptionHandler((t, e) -> told.complete(e)));
        time.at(time.nanos(), () -> {
            throw new IllegalStateException("planted");
        });

        time.at(time.nanos(), next::countDown);

        assertThat(next.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(told.get(10, TimeUnit.SECONDS)).hasMessage("planted");
    }

    @Test
    void aCancelledAlarmAndOneOfAClosedTimelineDoNotRun() throws Exception {
        CountDownLatch ran = new CountDownLatch(1);

        time.at(time.nanos() + 50 * MILLI, ran::countDown).cancel();
        time.at(time.nanos() + 50 * MILLI, ran::countDown);
        time.close();
        time.close();
        time.at(time.nanos(), ran::countDown);

        assertThat(ran.await(150, TimeUnit.MILLISECONDS)).isFalse();
    }

    @Test
    void sleepLastsAtLeastItsLength() throws Exception {
        long start = time.nanos();

        SystemTimeline.sleep(Duration.ofMillis(15));

        assertThat(time.nanos() - start).isGreaterThanOrEqualTo(15 * MILLI);
    }

    @Test
    void aSleeperThatIsWokenTooEarlySleepsOn() throws Exception {
        long start = time.nanos();

        LockSupport.unpark(Thread.currentThread());
        SystemTimeline.sleep(Duration.ofMillis(15));

        assertThat(time.nanos() - start).isGreaterThanOrEqualTo(15 * MILLI);
    }

    @Test
    void anInterruptEndsASleep() {
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> SystemTimeline.sleep(Duration.ofSeconds(5)))
                .isInstanceOf(InterruptedException.class)
                .hasMessageContaining("of PT5S left to sleep");
    }

    @Test
    void theWallClockTellsTheTimeOfDay() {
        assertThat(Instant.ofEpochMilli(time.wallMillis())).isAfter(Instant.parse("2025-01-01T00:00:00Z"));
    }

    @Test
    void onceClosedItTellsNoBootTime() {
        time.close();

        assertThat(time.bootNanos()).isEmpty();
    }

    @Test
    void theBootTimeClockRunsAndOutlivesAnInterruptedReader() {
        assumeTrue(Files.exists(Path.of("/proc/uptime")), "this system offers no /proc/uptime");
        OptionalLong before = time.bootNanos();

        Thread.currentThread().interrupt();
        OptionalLong interrupted = time.bootNanos();
        boolean wasInterrupted = Thread.interrupted();

        assertThat(wasInterrupted).isTrue();
        assertThat(interrupted.orElseThrow()).isGreaterThanOrEqualTo(before.orElseThrow());
        assertThat(time.bootNanos().orElseThrow()).isGreaterThanOrEqualTo(interrupted.orElseThrow());
    }
}
