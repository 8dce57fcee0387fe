package dev.incumbent.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TaskThreadsTest {
    @Test
    void aTasksThreadBearsItsNameRunsItAndKeepsNoProcessAlive() throws Exception {
        CountDownLatch ran = new CountDownLatch(1);

        Thread thread = madeByAThreadThatKeepsTheProcessAlive(ran::countDown);
        assertThat(thread.getState()).isEqualTo(Thread.State.NEW);
        thread.start();

        assertThat(thread.getName()).isEqualTo("incumbent-task-job");
        assertThat(thread.isDaemon()).isTrue();
        assertThat(ran.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void threadsAreVirtualFromJava24On() {
        assertThat(TaskThreads.areVirtualOn(23)).isFalse();
        assertThat(TaskThreads.areVirtualOn(24)).isTrue();
    }

    @Test
    void whereThereAreNoVirtualThreadsADaemonOfThePlatformTakesItsPlace() {
        assertThat(TaskThreads.virtual(() -> {}).isDaemon()).isTrue();
    }

    /** A thread is born as its maker is. */
    private static Thread madeByAThreadThatKeepsTheProcessAlive(Runnable task) throws InterruptedException {
        BlockingQueue<Thread> made = new LinkedBlockingQueue<>();
        Thread maker = new Thread(() -> made.add(TaskThreads.unstarted("incumbent-task-job", task)));
        maker.setDaemon(false);
        maker.start();
        return made.poll(10, TimeUnit.SECONDS);
    }
}
