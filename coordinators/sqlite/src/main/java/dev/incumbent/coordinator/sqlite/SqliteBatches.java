package dev.incumbent.coordinator.sqlite;

import dev.incumbent.calls.Server;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.jdbc.Sql;
import dev.incumbent.sql.FileIdentity;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Serves calls with one session. Those that wait together share one transaction, and so one flush of the disk; each has its own
 * outcome.
 *
 * <p>No call is answered unless the session's files bore the store's names when it had ended: otherwise a read runs again on the
 * store that is there now, and a write is told as uncertain.
 */
final class SqliteBatches implements Server<SqliteCall<?>> {
    private static final int MOST_AT_ONCE = 256;

    private final SqliteStore store;
    private final SqliteStore.Durability durability;
    private final SqliteLane.Clocks clocks;
    private final BusyParking busy;
    private final Consumer<List<SqliteCall<?>>> again;

    private boolean begun;
    private Optional<StoreSession> session = Optional.empty();
    private FileIdentity last = FileIdentity.ABSENT;

    /**
     * SqliteBatches without a session.
     *
     * @param again takes back calls of which nothing was done
     */
    SqliteBatches(
            SqliteStore store,
            SqliteStore.Durability durability,
            SqliteLane.Clocks clocks,
            Consumer<List<SqliteCall<?>>> again) {
        this.store = store;
        this.durability = durability;
        this.clocks = clocks;
        this.busy = new BusyParking(clocks.timeline(), clocks.requestTimeout());
        this.again = again;
    }

    /** Opens the session on the caller's thread, before any batch. */
    void open() throws IOException, SQLException {
        busy.giveUpAt(clocks.timeline().nanos() + clocks.requestTimeout().toNanos());
        session = Optional.of(store.open(durability, busy));
        last = session.get().identity();
    }

    /** Was there ever a batch? Final once the lane takes no calls; if there was none, whoever opened the session ends it by {@link #leave}. */
    boolean haveBegun() {
        return begun;
    }

    @Override
    public void take(Deque<SqliteCall<?>> waiting, List<SqliteCall<?>> together) {
        begun = true;
        while (!waiting.isEmpty() && together.size() < MOST_AT_ONCE) {
            together.add(waiting.removeFirst());
        }
    }

    @Override
    public Runnable serve(List<SqliteCall<?>> batch) {
        try {
            perform(batch);
        } catch (RuntimeException | Error e) {
            leave();
            throw e;
        }
        return () -> {};
    }

    /** Closes the session; a later batch would open another. */
    @Override
    public void leave() {
        session.ifPresent(StoreSession::close);
        session = Optional.empty();
    }

    private void perform(List<SqliteCall<?>> batch) {
        busy.giveUpAt(earliest(batch) - clocks.slackNanos());
        try {
            StoreSession current = enterCurrentSession(batch);
            try {
                boolean writes = batch.stream().anyMatch(SqliteCall::writes);
                List<SqliteCall<?>> writing = writes && current.canWrite() ? batch : read(current, batch);
                writing = writing.stream().filter(call -> !call.isOver()).toList();
                if (!writing.isEmpty()) {
                    write(current, writing);
                }
            } finally {
                current.leave();
            }
        } catch (SQLException e) {
            refuse(batch, e);
        } catch (IOException e) {
            fail(batch, Failures.of(store.path(), e));
        } catch (CoordinatorException e) {
            fail(batch, e);
        }
    }

    /** A session whose files bear the store's names now. Calls that a replaced file answers already are told so. */
    private StoreSession enterCurrentSession(List<SqliteCall<?>> batch) throws IOException, SQLException {
        if (session.isPresent() && !session.get().isCurrent()) {
            session = Optional.empty();
            batch.forEach(SqliteCall::failAsReplaced);
        }
        while (session.isEmpty() || !session.get().enter()) {
            session = Optional.of(store.open(durability, busy));
        }
        StoreSession current = session.get();
        if (last.hasDatabase() && !last.equals(current.identity())) {
            batch.forEach(SqliteCall::failAsReplaced);
        }
        last = current.identity();
        return current;
    }

    /** Runs calls without the write lock; those that need it. */
    private List<SqliteCall<?>> read(StoreSession current, List<SqliteCall<?>> batch) throws IOException, SQLException {
        List<SqliteCall<?>> read = new ArrayList<>();
        List<SqliteCall<?>> needWrite = new ArrayList<>();
        Tx tx = new Tx(current, clocks.timeline(), clocks.boot(), false);
        for (SqliteCall<?> call : batch) {
            try {
                call.run(tx);
                read.add(call);
            } catch (NeedsWrite e) {
                needWrite.add(call);
            }
        }
        answer(current, read);
        if (current.isCurrent()) {
            return needWrite;
        }
        again.accept(needWrite);
        return List.of();
    }

    private void write(StoreSession current, List<SqliteCall<?>> batch) throws IOException, SQLException {
        Sql sql = current.sql().orElseThrow();
        sql.execute("begin immediate");
        List<SqliteCall<?>> sent = batch.stream().filter(SqliteCall::send).toList();
        try {
            Tx tx = new Tx(current, clocks.timeline(), clocks.boot(), true);
            for (SqliteCall<?> call : sent) {
                call.run(tx);
            }
        } catch (SQLException | RuntimeException e) {
            rollBack(sql);
            sent.forEach(SqliteCall::takeBack);
            throw e;
        } catch (NeedsWrite impossible) {
            throw new IllegalStateException("a transaction that writes was asked to write", impossible);
        }
        commit(sql, sent);
        answer(current, sent);
    }

    private void commit(Sql sql, List<SqliteCall<?>> batch) throws SQLException {
        try {
            sql.execute("commit");
        } catch (SQLException e) {
            rollBack(sql);
            fail(batch, Failures.ofCommit(store.path(), e));
            throw e;
        }
    }

    private static void rollBack(Sql sql) {
        try {
            sql.execute("rollback");
        } catch (SQLException alreadyRolledBack) {
            // Some errors roll back by themselves.
        }
    }

    /** Answers calls that have run, if their session was the store's when they had. */
    private void answer(StoreSession current, List<SqliteCall<?>> ran) throws IOException {
        boolean counts;
        try {
            counts = current.isCurrent();
        } catch (IOException e) {
            fail(ran, uncertain("it cannot be looked at: " + e));
            throw e;
        }
        if (counts) {
            ran.forEach(SqliteCall::answerAsItRan);
            return;
        }
        session = Optional.empty();
        ran.forEach(SqliteCall::failAsReplaced);
        List<SqliteCall<?>> repeatable = new ArrayList<>();
        for (SqliteCall<?> call : ran) {
            if (call.isRepeatable()) {
                repeatable.add(call);
            } else {
                call.fail(uncertain("it was deleted, moved or replaced meanwhile"));
            }
        }
        again.accept(repeatable);
    }

    private CoordinatorException uncertain(String why) {
        return new CoordinatorException("written to the coordinator file " + store.path() + ", but " + why, true);
    }

    /** Nothing was committed. Calls that only waited for a lock wait on, as long as they may. */
    private void refuse(List<SqliteCall<?>> batch, SQLException e) {
        CoordinatorException failure = Failures.beforeCommit(store.path(), e);
        if (!Failures.isBusy(e)) {
            leave();
            fail(batch, failure);
            return;
        }
        long now = clocks.timeline().nanos();
        List<SqliteCall<?>> patient = new ArrayList<>();
        for (SqliteCall<?> call : batch) {
            if (call.deadlineNanos() - clocks.slackNanos() - now > 0) {
                patient.add(call);
            } else {
                call.fail(failure);
            }
        }
        again.accept(patient);
    }

    private static void fail(List<SqliteCall<?>> batch, CoordinatorException why) {
        batch.forEach(call -> call.fail(why));
    }

    private static long earliest(List<SqliteCall<?>> batch) {
        long earliest = batch.get(0).deadlineNanos();
        for (SqliteCall<?> call : batch) {
            earliest = call.deadlineNanos() - earliest < 0 ? call.deadlineNanos() : earliest;
        }
        return earliest;
    }
}
