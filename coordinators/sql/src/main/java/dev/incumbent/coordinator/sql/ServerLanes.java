package dev.incumbent.coordinator.sql;

import dev.incumbent.calls.Lane;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Calls to a database server, and some daemon threads that serve them by {@link ServerStatements}, each with a session of its own. The first thread stays; the
 * others come when calls wait, and go when they have been idle. Thread-safe; never blocks a caller.
 */
final class ServerLanes implements AutoCloseable {
    private static final Duration IDLE = Duration.ofSeconds(10);
    private static final long STACK_BYTES = 512 << 10;

    private final ServerStore store;
    private final Timeline timeline;
    private final Lane<Request<?>> lane;
    /** Sessions with calls that a close has ended. */
    private final Queue<ServerSession> left = new ConcurrentLinkedQueue<>();

    ServerLanes(String name, int most, ServerStore store, Timeline timeline) {
        this.store = store;
        this.timeline = timeline;
        this.lane = new Lane<>(
                Lane.Rules.oneThread("incumbent-" + name)
                        .withThreads(most, IDLE)
                        .withStackBytes(STACK_BYTES),
                (nanos, task) -> timeline.at(nanos, task)::cancel,
                (why, mayHaveApplied) ->
                        new CoordinatorException("the coordinator " + store.label() + " " + why, mayHaveApplied),
                () -> new ServerStatements(store, timeline, this::again, left::add));
    }

    /** Lets a call that writes run. */
    <T> CompletableFuture<T> write(ServerWork<T> work) {
        return submit(work, true, Optional.empty());
    }

    /** The same; with others that wait, if it may. */
    <T> CompletableFuture<T> write(ServerWork<T> work, Optional<Share<?, T>> share) {
        return submit(work, true, share);
    }

    /** Lets a call run that writes nothing, or only what may be written twice. */
    <T> CompletableFuture<T> read(ServerWork<T> work) {
        return submit(work, false, Optional.empty());
    }

    private <T> CompletableFuture<T> submit(ServerWork<T> work, boolean writes, Optional<Share<?, T>> share) {
        long deadline = timeline.nanos() + store.requestTimeout().toNanos();
        Request<T> request = new Request<>(work, writes, share, deadline);
        lane.submit(request);
        return request.reply();
    }

    private void again(List<Request<?>> requests) {
        lane.again(requests);
    }

    /** Ends all calls, whether the server answers those under way or not, and every session; waits for the threads as long as a call may take. */
    @Override
    public void close() {
        lane.close();
        for (ServerSession session = left.poll(); session != null; session = left.poll()) {
            session.abort();
        }
        lane.join(store.requestTimeout().plusMillis(1));
    }
}
