package dev.incumbent.coordinator.dynamodb;

import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A few daemon threads, and the calls that wait for one of them. A call ends at its bound whatever its thread does, and what was not sent by then never is. */
final class Lane implements AutoCloseable {
    private static final int MOST_WAITING = 20_000;
    private static final int IDLE_SECONDS = 10;

    private final String server;
    private final Timeline timeline;
    private final Duration requestTimeout;
    private final ThreadPoolExecutor threads;
    private final Set<Call<?>> underWay = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    Lane(String name, int threads, String server, Timeline timeline, Duration requestTimeout) {
        this.server = server;
        this.timeline = timeline;
        this.requestTimeout = requestTimeout;
        AtomicInteger count = new AtomicInteger();
        this.threads = new ThreadPoolExecutor(
                threads, threads, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(MOST_WAITING), task -> {
                    Thread thread = new Thread(task, "incumbent-dynamodb-" + name + "-" + count.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        this.threads.allowCoreThreadTimeOut(true);
    }

    <T> CompletionStage<T> run(Call.Work<T> work) {
        Call<T> call = new Call<>(work, timeline, timeline.nanos() + requestTimeout.toNanos());
        underWay.add(call);
        Timeline.Alarm alarm = timeline.at(
                timeline.nanos() + call.leftNanos(), () -> call.abandon(server + " did not answer in time"));
        CompletionStage<T> unused = call.reply().whenComplete((value, failure) -> {
            alarm.cancel();
            underWay.remove(call);
        });
        try {
            threads.execute(call);
        } catch (RejectedExecutionException e) {
            call.abandon(
                    closed
                            ? "the coordinator on " + server + " is closed"
                            : MOST_WAITING + " calls wait for " + server);
        }
        if (closed) {
            call.abandon("the coordinator on " + server + " was closed meanwhile");
        }
        return call.reply();
    }

    @Override
    public void close() {
        closed = true;
        threads.shutdownNow();
        underWay.forEach(call -> call.abandon("the coordinator on " + server + " was closed meanwhile"));
    }
}
