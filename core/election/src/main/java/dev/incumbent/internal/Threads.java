package dev.incumbent.internal;

import dev.incumbent.LeaderTask;
import dev.incumbent.Leadership;
import dev.incumbent.Trace;
import dev.incumbent.beats.BeatTransport;
import dev.incumbent.model.CandidateId;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The platform of a real process: a driver thread, a thread a task, and threads for user code that come and go. The only place where anybody waits. */
public final class Threads implements Platform {
    private static final long IDLE_SECONDS = 10;

    private final Timeline timeline;
    private final Timeline stops;
    private final Runnable closeOwnClocks;
    private final Set<Thread> ours = ConcurrentHashMap.newKeySet();
    private final ThreadPoolExecutor userCode;
    private final TaskRules taskRules;
    private final Optional<BeatTransport.Source> beats;

    /** {@code closeOwnClocks} runs at the end. */
    public Threads(
            Timeline timeline,
            Timeline stops,
            TaskRules taskRules,
            Optional<BeatTransport.Source> beats,
            Runnable closeOwnClocks) {
        this.timeline = timeline;
        this.stops = stops;
        this.taskRules = taskRules;
        this.beats = beats;
        this.closeOwnClocks = closeOwnClocks;
        this.userCode = new ThreadPoolExecutor(
                0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
                    Thread thread = new Thread(() -> asOurs(task), "incumbent-listeners");
                    thread.setDaemon(true);
                    return thread;
                });
    }

    @Override
    public Timeline timeline() {
        return timeline;
    }

    @Override
    public Timeline stops() {
        return stops;
    }

    @Override
    public Strand strand(Runnable whenIdle, Trace trace) {
        Loop loop = new Loop("incumbent-driver", whenIdle, trace);
        ours.add(loop.thread());
        loop.start();
        return loop;
    }

    @Override
    public Optional<BeatTransport> beats(CandidateId me) {
        return beats.map(source -> source.open(me));
    }

    @Override
    public Executor userCode() {
        return userCode;
    }

    @Override
    public TaskRunner tasks() {
        return taskRules.executor().<TaskRunner>map(this::on).orElse(TaskThread::new);
    }

    @Override
    public TaskRules taskRules() {
        return taskRules;
    }

    private TaskRunner on(Executor executor) {
        return (task, leadership, returned) ->
                new ExecutorTask(piece -> executor.execute(() -> asOurs(piece)), userCode, task, leadership, returned);
    }

    @Override
    public void await(CompletionStage<?> done, Duration bound) {
        if (ours.contains(Thread.currentThread())) {
            return;
        }
        try {
            done.toCompletableFuture().get(bound.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException boundedAndTold) {
            // Whoever waits learns from the stage how it ended.
        }
    }

    /** Threads of user code end once they have nothing to run; whoever depends on a stage is told all the same, however late. */
    @Override
    public void close() {
        userCode.setKeepAliveTime(0, TimeUnit.SECONDS);
        closeOwnClocks.run();
    }

    private void asOurs(Runnable task) {
        ours.add(Thread.currentThread());
        try {
            task.run();
        } finally {
            ours.remove(Thread.currentThread());
        }
    }

    /** A task on a thread of its own. */
    private final class TaskThread implements TaskRunner.Run {
        private final Thread thread;

        TaskThread(LeaderTask task, Leadership leadership, TaskRunner.Returned returned) {
            this.thread = TaskThreads.unstarted(
                    "incumbent-task-" + leadership.term().election(),
                    () -> asOurs(() -> lead(task, leadership, returned)));
        }

        @Override
        public void start() {
            thread.start();
        }

        @Override
        public void interrupt() {
            thread.interrupt();
        }

        private static void lead(LeaderTask task, Leadership leadership, TaskRunner.Returned returned) {
            Optional<Throwable> failure = Optional.empty();
            try {
                task.lead(leadership);
            } catch (Throwable thrown) {
                failure = Optional.of(thrown);
            }
            returned.accept(failure);
        }
    }
}
