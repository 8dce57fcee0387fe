package dev.incumbent.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The real thread of a check. */
class CheckThreadTest {
    private static final long LONG_SECONDS = 60;

    private final CheckThread thread = CheckThread.named("incumbent-health-it");
    private final LinkedBlockingQueue<String> done = new LinkedBlockingQueue<>();

    @AfterEach
    void close() {
        thread.close();
    }

    @Test
    void questionsRunOnADaemonThreadOfThatName() throws InterruptedException {
        thread.run(() -> done.add(
                Thread.currentThread().getName() + " " + Thread.currentThread().isDaemon()));

        assertThat(next()).isEqualTo("incumbent-health-it true");
    }

    @Test
    void anInterruptEndsTheQuestionThatRunsAndNotTheNextOne() throws InterruptedException {
        CountDownLatch runs = new CountDownLatch(1);
        thread.run(() -> {
            runs.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // a check that leaves it set
                done.add("interrupted");
            }
        });
        assertThat(runs.await(LONG_SECONDS, TimeUnit.SECONDS)).isTrue();
        thread.interrupt();
        assertThat(next()).isEqualTo("interrupted");
        thread.run(() -> done.add("interrupted: " + Thread.currentThread().isInterrupted()));

        assertThat(next()).isEqualTo("interrupted: false");
    }

    @Test
    void whereNothingRunsAnInterruptIsForNobody() throws InterruptedException {
        thread.run(() -> done.add("first"));
        assertThat(next()).isEqualTo("first");
        thread.interrupt();
        thread.run(() -> done.add("interrupted: " + Thread.currentThread().isInterrupted()));

        assertThat(next()).isEqualTo("interrupted: false");
    }

    @Test
    void closingInterruptsWhatRuns() throws InterruptedException {
        CountDownLatch runs = new CountDownLatch(1);
        thread.run(() -> {
            runs.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                done.add("interrupted");
            }
        });
        assertThat(runs.await(LONG_SECONDS, TimeUnit.SECONDS)).isTrue();

        thread.close();

        assertThat(next()).isEqualTo("interrupted");
    }

    private String next() throws InterruptedException {
        String line = done.poll(LONG_SECONDS, TimeUnit.SECONDS);
        return line == null ? "nothing" : line;
    }
}
