package dev.incumbent.coordinator.dynamodb;

import dev.incumbent.calls.Lane;
import dev.incumbent.calls.Server;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** A few daemon threads, and the calls that wait for one of them. A call ends at its bound whatever its thread does, and what was not sent by then never is. */
final class TableLane implements AutoCloseable {
    private static final int MOST_WAITING = 20_000;
    private static final Duration IDLE = Duration.ofSeconds(10);

    private final Timeline timeline;
    private final Duration requestTimeout;
    private final Lane<TableCall<?>> lane;

    TableLane(String name, int threads, String server, Timeline timeline, Duration requestTimeout) {
        this.timeline = timeline;
        this.requestTimeout = requestTimeout;
        this.lane = new Lane<>(
                Lane.Rules.oneThread("incumbent-dynamodb-" + name)
                        .withThreads(threads, IDLE)
                        .withMostWaiting(MOST_WAITING),
                (nanos, task) -> timeline.at(nanos, task)::cancel,
                (why, mayHaveApplied) ->
                        new CoordinatorException("the coordinator on " + server + " " + why, mayHaveApplied),
                Worker::new);
    }

    <T> CompletionStage<T> run(TableCall.Work<T> work) {
        TableCall<T> call = new TableCall<>(work, timeline, timeline.nanos() + requestTimeout.toNanos());
        lane.submit(call);
        return call.reply();
    }

    @Override
    public void close() {
        lane.close();
    }

    /** What one of its threads does. The SDK ends a request when its call runs out of time; a lane that closes interrupts it. */
    private static final class Worker implements Server<TableCall<?>> {
        private volatile Optional<Thread> thread = Optional.empty();

        @Override
        public Runnable serve(List<TableCall<?>> one) {
            thread = Optional.of(Thread.currentThread());
            TableCall<?> call = one.get(0);
            return call.isOver() ? () -> {} : call.outcome();
        }

        @Override
        public void aborted() {
            thread.ifPresent(Thread::interrupt);
        }
    }
}
