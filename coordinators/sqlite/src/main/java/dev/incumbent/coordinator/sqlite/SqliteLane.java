package dev.incumbent.coordinator.sqlite;

import dev.incumbent.calls.Lane;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.time.Timeline;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/** Calls to a store in a file, and one daemon thread that serves them in {@link SqliteBatches}. Thread-safe. */
final class SqliteLane implements AutoCloseable {
    private static final long STACK_BYTES = 256 << 10;

    private final Clocks clocks;
    private final SqliteBatches batches;
    private final Lane<SqliteCall<?>> lane;

    SqliteLane(String name, SqliteStore store, SqliteStore.Durability durability, Clocks clocks) {
        this.clocks = clocks;
        this.batches = new SqliteBatches(store, durability, clocks, this::again);
        this.lane = new Lane<>(
                Lane.Rules.oneThread("incumbent-" + name).withStackBytes(STACK_BYTES),
                (nanos, task) -> clocks.timeline().at(nanos, task)::cancel,
                (why, mayHaveApplied) ->
                        new CoordinatorException("the coordinator at " + store.path() + " " + why, mayHaveApplied),
                () -> batches);
    }

    /**
     * What a lane measures by.
     *
     * @param requestTimeout the bound of each call, from its submission
     */
    record Clocks(Timeline timeline, Boot boot, Duration requestTimeout) {
        /** A call gives up on a lock this long before its deadline, so as to tell that nothing applied. */
        long slackNanos() {
            return requestTimeout.toNanos() / 16;
        }
    }

    /** Opens the session on the caller's thread, before any call was submitted. */
    void open() throws IOException, SQLException {
        batches.open();
    }

    /** Lets a call run; never blocks. */
    <T> CompletableFuture<T> submit(SqliteCall.Kind kind, Work<T> work) {
        return submitted(call(kind, work, Optional.empty()));
    }

    /** As {@link #submit(SqliteCall.Kind, Work)}, answered at once where the store's files prove to be replaced. */
    <T> CompletableFuture<T> submit(SqliteCall.Kind kind, Work<T> work, Supplier<CoordinatorException> ifReplaced) {
        return submitted(call(kind, work, Optional.of(ifReplaced)));
    }

    /**
     * As {@link #submit(SqliteCall.Kind, Work)}, with something to be done at its end, by whoever ends it. Waits for a lock no longer than any
     * call, and spends no alarm on its deadline: for what is asked many times a second and awaited by nobody.
     */
    <T> void submit(SqliteCall.Kind kind, Work<T> work, BiConsumer<? super T, ? super Throwable> then) {
        SqliteCall<T> call = call(kind, work, Optional.empty());
        CompletionStage<T> unused = call.reply().whenComplete(then);
        lane.submitWithoutLimit(call);
    }

    private <T> SqliteCall<T> call(
            SqliteCall.Kind kind, Work<T> work, Optional<Supplier<CoordinatorException>> ifReplaced) {
        long deadline = clocks.timeline().nanos() + clocks.requestTimeout().toNanos();
        return new SqliteCall<>(work, kind, deadline, ifReplaced);
    }

    private <T> CompletableFuture<T> submitted(SqliteCall<T> call) {
        lane.submit(call);
        return call.reply();
    }

    private void again(List<SqliteCall<?>> calls) {
        lane.again(calls);
    }

    /** Ends the calls that wait, then the session, once the batch under way has come to its end; waits for that as long as a call may take. */
    @Override
    public void close() {
        lane.finish();
        if (!batches.haveBegun()) {
            batches.leave();
        }
        lane.join(clocks.requestTimeout().plusMillis(1));
    }
}
