package dev.incumbent.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.LeaderTask;
import dev.incumbent.Leadership;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ExecutorTaskTest {
    private static final LeaderTask FOR_EVER = leadership -> new CountDownLatch(1).await();

    private final Leadership leadership = (Leadership) Proxy.newProxyInstance(
            Leadership.class.getClassLoader(), new Class<?>[] {Leadership.class}, (proxy, method, none) -> null);
    private final Deque<Runnable> toSubmit = new ArrayDeque<>();
    private final Deque<Runnable> toRun = new ArrayDeque<>();
    private final List<Optional<Throwable>> returned = new ArrayList<>();
    private final List<String> ran = new ArrayList<>();
    private final ExecutorService pool = Executors.newSingleThreadExecutor();

    @AfterEach
    void close() {
        pool.shutdownNow();
    }

    @Test
    void theExecutorIsCalledOnAThreadThatItMayBlock() throws Exception {
        ExecutorTask task = on(toRun::add, led -> ran.add(Thread.currentThread().getName()));

        task.start();
        assertThat(toRun).as("not by the driver's thread").isEmpty();
        toSubmit.remove().run();
        assertThat(ran).isEmpty();
        elsewhere(toRun.remove());

        assertThat(ran).hasSize(1);
        assertThat(returned).containsExactly(Optional.empty());
    }

    @Test
    void whatItThrowsIsTold() throws Exception {
        IllegalStateException broken = new IllegalStateException("broken");
        start(on(toRun::add, led -> {
            throw broken;
        }));

        elsewhere(toRun.remove());

        assertThat(returned).containsExactly(Optional.of(broken));
    }

    @Test
    void anExecutorThatRefusesEndsItWithAReason() {
        start(on(
                piece -> {
                    throw new RejectedExecutionException("full");
                },
                FOR_EVER));

        assertThat(returned).hasSize(1);
        assertThat(returned.get(0).orElseThrow())
                .hasMessageContaining("the executor refused the task")
                .hasMessageContaining("full")
                .hasCauseInstanceOf(RejectedExecutionException.class);
    }

    @Test
    void anExecutorThatRunsItOnTheThreadThatSubmitsItRunsNothing() {
        start(on(Runnable::run, led -> ran.add("led")));

        assertThat(ran).isEmpty();
        assertThat(returned).hasSize(1);
        assertThat(returned.get(0).orElseThrow()).hasMessageContaining("it needs threads of its own");
    }

    @Test
    void whatIsToldToStopBeforeItBeginsHasReturnedAndBeginsNoMore() throws Exception {
        ExecutorTask task = start(on(toRun::add, led -> ran.add("led")));

        task.interrupt();
        assertThat(returned).containsExactly(Optional.empty());
        task.interrupt();
        elsewhere(toRun.remove());

        assertThat(ran).isEmpty();
        assertThat(returned).hasSize(1);
    }

    @Test
    void anExecutorThatRunsItTwiceRunsItOnce() throws Exception {
        start(on(toRun::add, led -> ran.add("led")));
        Runnable piece = toRun.remove();

        elsewhere(piece);
        elsewhere(piece);

        assertThat(ran).containsExactly("led");
        assertThat(returned).hasSize(1);
    }

    @Test
    void anExecutorThatRunsItTwiceAtOnceRunsItOnce() throws Exception {
        start(on(toRun::add, led -> {
            ran.add("led");
            elsewhere(toRun.peek());
        }));

        elsewhere(toRun.peek());

        assertThat(ran).containsExactly("led");
        assertThat(returned).containsExactly(Optional.empty());
    }

    @Test
    void theThreadIsHandedBackWithoutTheInterruptThatWasTheTasks() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        List<Boolean> interrupted = new ArrayList<>();
        ExecutorTask task = start(on(toRun::add, led -> {
            begun.countDown();
            while (!Thread.currentThread().isInterrupted()) {
                Thread.onSpinWait();
            }
        }));
        Runnable piece = toRun.remove();
        Thread thread = new Thread(() -> {
            piece.run();
            interrupted.add(Thread.interrupted());
        });
        thread.start();
        begun.await();

        task.interrupt();
        thread.join();

        assertThat(interrupted).containsExactly(false);
    }

    @Test
    void anInterruptReachesTheTaskAndNothingThatRunsThereAfterwards() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        ExecutorTask task = start(on(pool, led -> {
            begun.countDown();
            while (!Thread.currentThread().isInterrupted()) {
                Thread.onSpinWait();
            }
            ran.add("interrupted");
        }));
        begun.await();

        task.interrupt();
        Future<Boolean> after = pool.submit(Thread::interrupted);

        assertThat(after.get(10, TimeUnit.SECONDS))
                .as("the interrupt was the task's")
                .isFalse();
        assertThat(ran).containsExactly("interrupted");
        assertThat(returned).containsExactly(Optional.empty());

        CountDownLatch other = new CountDownLatch(1);
        Future<Boolean> others = pool.submit(() -> other.await(300, TimeUnit.MILLISECONDS));
        task.interrupt();
        assertThat(others.get(10, TimeUnit.SECONDS))
                .as("somebody else's piece goes on")
                .isFalse();
        assertThat(returned).hasSize(1);
    }

    /** So whoever shuts its own executor down is heard. */
    @Test
    void anInterruptThatIsNotOursStays() throws Exception {
        List<Boolean> interrupted = new ArrayList<>();
        start(on(toRun::add, led -> Thread.currentThread().interrupt()));
        Runnable piece = toRun.remove();

        elsewhere(() -> {
            piece.run();
            interrupted.add(Thread.interrupted());
        });

        assertThat(interrupted).containsExactly(true);
    }

    private ExecutorTask on(Executor executor, LeaderTask task) {
        return new ExecutorTask(executor, toSubmit::add, task, leadership, returned::add);
    }

    private ExecutorTask start(ExecutorTask task) {
        task.start();
        toSubmit.remove().run();
        return task;
    }

    private static void elsewhere(Runnable piece) throws InterruptedException {
        Thread thread = new Thread(piece);
        thread.start();
        thread.join();
    }
}
