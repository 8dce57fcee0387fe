package dev.incumbent.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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

        time.at(due, () -> {
            ranAt.complete(time.nanos());
            daemon.complete(Thread.currentThread().isDaemon());
        });

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
