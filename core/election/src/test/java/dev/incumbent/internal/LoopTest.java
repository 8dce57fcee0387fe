package dev.incumbent.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.Trace;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LoopTest {
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private final Trace trace = new Trace() {
        @Override
        public void failed(String what, Throwable failure) {
            heard.add(what + ": " + failure.getMessage());
        }
    };
    private final Loop loop = new Loop("loop-of-test", () -> heard.add("flush"), trace);

    @AfterEach
    void close() {
        loop.close();
    }

    @Test
    void tasksRunInOrderOnItsDaemonAndAreFlushedOnce() throws Exception {
        loop.execute(() -> heard.add("on " + Thread.currentThread().getName()));
        loop.execute(() -> heard.add("second"));
        loop.start();

        assertThat(next()).isEqualTo("on loop-of-test");
        assertThat(next()).isEqualTo("second");
        assertThat(next()).isEqualTo("flush");
        assertThat(loop.thread().isDaemon()).isTrue();
    }

    @Test
    void aLongRowOfTasksIsFlushedMeanwhile() throws Exception {
        for (int i = 0; i < 2_500; i++) {
            int number = i;
            loop.execute(() -> heard.add("task " + number));
        }
        loop.start();

        for (int i = 0; i < 2_500; i++) {
            assertThat(next()).isEqualTo("task " + i);
            if (i == 999 || i == 1_999) {
                assertThat(next()).isEqualTo("flush");
            }
        }
        assertThat(next()).isEqualTo("flush");
    }

    @Test
    void aTaskThatThrowsIsTracedAndTheNextRuns() throws Exception {
        loop.execute(() -> {
            throw new IllegalStateException("broken");
        });
        loop.execute(() -> heard.add("next"));
        loop.start();

        assertThat(next()).isEqualTo("a task of thread loop-of-test: broken");
        assertThat(next()).isEqualTo("next");
    }

    @Test
    void anInterruptIsTracedAndEndsNothing() throws Exception {
        loop.start();
        loop.thread().interrupt();
        assertThat(next()).startsWith("thread loop-of-test was interrupted");

        loop.execute(() -> heard.add("next"));

        assertThat(next()).isEqualTo("next");
    }

    @Test
    void whatWaitsWhenItIsClosedStillRunsAndThenItsThreadEnds() throws Exception {
        loop.execute(() -> heard.add("before"));
        loop.close();
        loop.execute(() -> heard.add("after"));
        loop.start();

        loop.thread().join(10_000);

        assertThat(loop.thread().isAlive()).isFalse();
        assertThat(heard).contains("before").doesNotContain("after");
    }

    private String next() throws InterruptedException {
        return String.valueOf(heard.poll(10, TimeUnit.SECONDS));
    }
}
