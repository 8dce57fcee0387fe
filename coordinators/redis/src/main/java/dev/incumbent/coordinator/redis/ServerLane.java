package dev.incumbent.coordinator.redis;

import dev.incumbent.calls.Lane;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * One server, asked by one thread over one connection. A request ends at its deadline whatever the server does, and what was not sent by then never is. Thread-safe;
 * never blocks a caller.
 */
final class ServerLane implements AutoCloseable {
    private static final int MOST_WAITING = 20_000;

    private final Timeline timeline;
    private final Duration requestTimeout;
    private final Pipeline pipeline;
    private final Lane<RequestCall<?>> lane;

    ServerLane(String name, Place place, Timeline timeline, Duration requestTimeout) {
        this.timeline = timeline;
        this.requestTimeout = requestTimeout;
        this.pipeline = new Pipeline(place, requestTimeout);
        this.lane = new Lane<>(
                Lane.Rules.oneThread("incumbent-redis-" + name).withMostWaiting(MOST_WAITING),
                (nanos, task) -> timeline.at(nanos, task)::cancel,
                (why, mayHaveApplied) ->
                        new CoordinatorException("the connection to " + place + " " + why, mayHaveApplied),
                () -> pipeline);
    }

    /** Which life of the server answers; empty before the first connection. */
    String life() {
        return pipeline.life();
    }

    <T> CompletableFuture<T> submit(Request request, Function<Reply, T> meaning) {
        return submit(request, meaning, timeline.nanos() + requestTimeout.toNanos());
    }

    /** Sends a request; its answer is told on the lane's thread, its deadline's passing on the timeline's. */
    <T> CompletableFuture<T> submit(Request request, Function<Reply, T> meaning, long deadlineNanos) {
        RequestCall<T> call = new RequestCall<>(request, meaning, deadlineNanos);
        lane.submit(call);
        return call.reply();
    }

    @Override
    public void close() {
        lane.close();
    }
}
