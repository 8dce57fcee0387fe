package dev.incumbent.coordinator.redis;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * One thread with one connection to one server. Takes the requests that wait, sends them together, and reads their answers in order; each is sent once at most.
 *
 * <p>A request ends at its deadline whatever the server does, and what was not sent by then never is. When an answer stays out for as long, the connection ends
 * with it, and the next request connects anew.
 */
final class Lane implements AutoCloseable {
    private static final int TOGETHER = 64;
    private static final int MOST_WAITING = 20_000;

    private final String name;
    private final ServerAddress at;
    private final Timeline timeline;
    private final Duration requestTimeout;
    private final BlockingQueue<Call<?>> waiting = new LinkedBlockingQueue<>(MOST_WAITING);
    private final AtomicBoolean started = new AtomicBoolean();
    private volatile Optional<Link> link = Optional.empty();
    private volatile String life = "";
    private volatile boolean closed;
    private volatile Optional<Thread> thread = Optional.empty();

    Lane(String name, ServerAddress at, Timeline timeline, Duration requestTimeout) {
        this.name = name;
        this.at = at;
        this.timeline = timeline;
        this.requestTimeout = requestTimeout;
    }

    /** Which life of the server answers; empty before the first connection. */
    String life() {
        return life;
    }

    <T> CompletableFuture<T> submit(Request request, Function<Reply, T> meaning) {
        return submit(request, meaning, timeline.nanos() + requestTimeout.toNanos());
    }

    /** Sends a request; its answer is told on the lane's thread, its deadline's passing on the timeline's. */
    <T> CompletableFuture<T> submit(Request request, Function<Reply, T> meaning, long deadlineNanos) {
        Call<T> call = new Call<>(request, meaning, deadlineNanos);
        if (closed || !waiting.offer(call)) {
            String why = closed ? "the connection to " + at + " is closed" : MOST_WAITING + " requests wait for " + at;
            call.fail(sent -> new CoordinatorException(why, false));
            return call.reply();
        }
        start();
        Timeline.Alarm alarm = timeline.at(
                deadlineNanos,
                () -> call.fail(sent ->
                        new CoordinatorException("no answer from " + at + " within its request timeout", sent)));
        CompletableFuture<T> unused = call.reply().whenComplete((value, failure) -> alarm.cancel());
        if (closed) {
            failWaiting();
        }
        return call.reply();
    }

    private void start() {
        if (!started.getAndSet(true)) {
            Thread runner = new Thread(this::run, "incumbent-redis-" + name);
            runner.setDaemon(true);
            thread = Optional.of(runner);
            runner.start();
        }
    }

    private void run() {
        List<Call<?>> batch = new ArrayList<>(TOGETHER);
        while (!closed) {
            try {
                batch.add(waiting.take());
                waiting.drainTo(batch, TOGETHER - 1);
                batch.removeIf(Call::isDone);
                if (!batch.isEmpty()) {
                    exchange(batch);
                }
            } catch (InterruptedException closing) {
                Thread.currentThread().interrupt();
                closed = true;
            } catch (RuntimeException unexpected) {
                Thread self = Thread.currentThread();
                self.getUncaughtExceptionHandler().uncaughtException(self, unexpected);
            } finally {
                batch.forEach(call -> call.fail(this::closedMeanwhile));
                batch.clear();
            }
        }
        drop();
        failWaiting();
    }

    private void exchange(List<Call<?>> batch) {
        Optional<Link> open;
        try {
            open = Optional.of(link.filter(Link::isOpen).orElseGet(() -> connect(batch)));
        } catch (CoordinatorException noConnection) {
            drop();
            batch.forEach(call -> call.fail(sent -> noConnection));
            return;
        }
        Timeline.Alarm watchdog = timeline.at(latestDeadline(batch), open.get()::abort);
        try {
            sendAndReceive(open.get(), batch);
        } catch (JedisConnectionException broken) {
            drop();
            batch.forEach(
                    call -> call.fail(sent -> closed ? closedMeanwhile(sent) : Failures.broken(at, broken, sent)));
        } finally {
            watchdog.cancel();
        }
    }

    private void sendAndReceive(Link open, List<Call<?>> batch) {
        List<Call<?>> sent = new ArrayList<>(batch.size());
        for (Call<?> call : batch) {
            if (call.leaves()) {
                sent.add(call);
                open.send(call.request());
            }
        }
        for (Call<?> call : sent) {
            try {
                call.answer(open.receive());
            } catch (JedisDataException error) {
                call.fail(left -> Failures.refused(at, String.valueOf(error.getMessage()), left));
                if (String.valueOf(error.getMessage()).startsWith("READONLY")) {
                    open.abort();
                }
            }
        }
    }

    private Link connect(List<Call<?>> batch) {
        Link fresh = new Link(at);
        link = Optional.of(fresh);
        long now = timeline.nanos();
        long bound = Math.max(1_000_000, latestDeadline(batch) - now);
        Timeline.Alarm watchdog = timeline.at(now + bound, fresh::abort);
        try {
            if (closed) {
                throw closedMeanwhile(false);
            }
            life = fresh.open(Duration.ofNanos(bound)).runId();
            return fresh;
        } finally {
            watchdog.cancel();
        }
    }

    private static long latestDeadline(List<Call<?>> batch) {
        return batch.stream()
                .mapToLong(Call::deadlineNanos)
                .reduce((a, b) -> a - b > 0 ? a : b)
                .orElseThrow();
    }

    /** Ends the connection there is; the next request makes another. */
    private void drop() {
        link.ifPresent(Link::abort);
        link = Optional.empty();
    }

    private CoordinatorException closedMeanwhile(boolean mayHaveApplied) {
        return new CoordinatorException("the connection to " + at + " was closed meanwhile", mayHaveApplied);
    }

    private void failWaiting() {
        List<Call<?>> left = new ArrayList<>();
        waiting.drainTo(left);
        left.forEach(call -> call.fail(this::closedMeanwhile));
    }

    @Override
    public void close() {
        closed = true;
        thread.ifPresent(Thread::interrupt);
        link.ifPresent(Link::abort);
        failWaiting();
    }
}
