package dev.incumbent.internal;

import dev.incumbent.LeaderTask;
import dev.incumbent.Leadership;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * A task on a thread of the user's executor. It is interrupted only while it runs, for the thread is somebody else's before and after; one that has not begun when it
 * is told to stop has returned by that, and begins no more.
 */
final class ExecutorTask implements TaskRunner.Run {
    private final Executor executor;
    private final Executor submitters;
    private final LeaderTask task;
    private final Leadership leadership;
    private final TaskRunner.Returned returned;
    private final Object lock = new Object();
    // Guarded by the lock.
    private boolean isOver;
    private boolean isInterrupted;
    private Optional<Thread> runner = Optional.empty();

    /** Submitted by one of {@code submitters}, which an executor may block. */
    ExecutorTask(
            Executor executor,
            Executor submitters,
            LeaderTask task,
            Leadership leadership,
            TaskRunner.Returned returned) {
        this.executor = executor;
        this.submitters = submitters;
        this.task = task;
        this.leadership = leadership;
        this.returned = returned;
    }

    @Override
    public void start() {
        submitters.execute(this::submit);
    }

    private void submit() {
        Thread submitter = Thread.currentThread();
        try {
            executor.execute(() -> begin(submitter));
        } catch (RuntimeException | Error e) {
            neverBegins(Optional.of(new IllegalStateException("the executor refused the task: " + e, e)));
        }
    }

    private void begin(Thread submitter) {
        if (Thread.currentThread().equals(submitter)) {
            neverBegins(Optional.of(new IllegalStateException(
                    "the executor runs a task on the thread that submits it: it needs threads of its own")));
            return;
        }
        synchronized (lock) {
            if (isOver || runner.isPresent()) {
                return;
            }
            runner = Optional.of(Thread.currentThread());
        }
        run();
    }

    private void run() {
        Optional<Throwable> failure = Optional.empty();
        try {
            task.lead(leadership);
        } catch (Throwable thrown) {
            failure = Optional.of(thrown);
        }
        synchronized (lock) {
            isOver = true;
            if (isInterrupted) {
                Thread.interrupted(); // meant for the task, and not for what runs there next
            }
        }
        returned.accept(failure);
    }

    private void neverBegins(Optional<Throwable> why) {
        synchronized (lock) {
            if (isOver || runner.isPresent()) {
                return;
            }
            isOver = true;
        }
        returned.accept(why);
    }

    @Override
    public void interrupt() {
        synchronized (lock) {
            if (!isOver && runner.isPresent()) {
                isInterrupted = true;
                runner.get().interrupt();
            }
        }
        neverBegins(Optional.empty());
    }
}
