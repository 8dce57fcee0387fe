package dev.incumbent.coordinator.jdbc;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.time.Timeline;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * One daemon thread with one session, and the calls that wait for it. Calls that wait together share one transaction, and so one
 * flush of the disk; each has its own outcome.
 *
 * <p>No call is answered unless the session's files bore the store's names when it had ended: otherwise a read runs again on the
 * store that is there now, and a write is told as uncertain.
 */
final class Lane implements AutoCloseable {
    private static final int MOST_AT_ONCE = 256;
    private static final long STACK_BYTES = 256 << 10;

    private final String name;
    private final SqliteStore store;
    private final SqliteStore.Durability durability;
    private final Clocks clocks;
    private final BusyParking busy;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    private final Deque<Call<?>> waiting = new ArrayDeque<>();
    private Optional<Thread> thread = Optional.empty();
    private boolean closed;

    private Optional<StoreSession> session = Optional.empty();
    private Identity last = Identity.ABSENT;

    Lane(String name, SqliteStore store, SqliteStore.Durability durability, Clocks clocks) {
        this.name = name;
        this.store = store;
        this.durability = durability;
        this.clocks = clocks;
        this.busy = new BusyParking(clocks.timeline(), clocks.requestTimeout());
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
        busy.giveUpAt(clocks.timeline().nanos() + clocks.requestTimeout().toNanos());
        session = Optional.of(store.open(durability, busy));
        last = session.get().identity();
    }

    /** Lets a call run; never blocks. */
    <T> CompletableFuture<T> submit(Call.Kind kind, Work<T> work) {
        Call<T> call = call(kind, work);
        submit(call);
        return call.reply();
    }

    /** As {@link #submit(Call.Kind, Work)}, answered at once where the store's files prove to be replaced. */
    <T> CompletableFuture<T> submit(Call.Kind kind, Work<T> work, Supplier<CoordinatorException> ifReplaced) {
        Call<T> call = call(kind, work);
        call.ifReplaced(ifReplaced);
        submit(call);
        return call.reply();
    }

    /**
     * As {@link #submit(Call.Kind, Work)}, with something to be done at its end, on the lane's thread. Waits for a lock no longer than any
     * call, and spends no alarm on its deadline: for what is asked many times a second and awaited by nobody.
     */
    <T> void submit(Call.Kind kind, Work<T> work, BiConsumer<? super T, ? super Throwable> then) {
        Call<T> call = call(kind, work);
        call.then(then);
        enqueue(call);
    }

    private <T> Call<T> call(Call.Kind kind, Work<T> work) {
        return new Call<>(
                work, kind, clocks.timeline().nanos() + clocks.requestTimeout().toNanos());
    }

    private void submit(Call<?> call) {
        call.boundBy(clocks.timeline(), store.path().toString());
        enqueue(call);
    }

    private void enqueue(Call<?> call) {
        lock.lock();
        try {
            if (!closed) {
                waiting.addLast(call);
                if (thread.isEmpty()) {
                    thread = Optional.of(startThread());
                }
                arrived.signal();
                return;
            }
        } finally {
            lock.unlock();
        }
        call.fail(new CoordinatorException("the coordinator at " + store.path() + " is closed", false));
    }

    /** Ends the calls under way and the session; waits for it as long as a call may take. */
    @Override
    public void close() {
        Optional<Thread> running;
        lock.lock();
        try {
            closed = true;
            running = thread;
            arrived.signal();
        } finally {
            lock.unlock();
        }
        if (running.isEmpty()) {
            session.ifPresent(StoreSession::close);
        } else if (running.get() != Thread.currentThread()) {
            try {
                running.get().join(clocks.requestTimeout().toMillis() + 1);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private Thread startThread() {
        Thread starting = new Thread(null, this::run, "incumbent-" + name, STACK_BYTES);
        starting.setDaemon(true);
        starting.start();
        return starting;
    }

    private void run() {
        for (List<Call<?>> batch = next(); !batch.isEmpty(); batch = next()) {
            try {
                perform(batch);
            } catch (RuntimeException | Error e) {
                dropSession();
                fail(batch, new CoordinatorException(name + " of " + store.path() + " failed: " + e, true, e));
            }
        }
        dropSession();
        lock.lock();
        try {
            fail(
                    List.copyOf(waiting),
                    new CoordinatorException("the coordinator at " + store.path() + " is closed", false));
            waiting.clear();
        } finally {
            lock.unlock();
        }
    }

    /** The calls that wait, at least one; none when the lane is closed. */
    private List<Call<?>> next() {
        List<Call<?>> batch = new ArrayList<>();
        lock.lock();
        try {
            while (batch.isEmpty() && !closed) {
                while (!waiting.isEmpty() && batch.size() < MOST_AT_ONCE) {
                    Call<?> call = waiting.removeFirst();
                    if (!call.isDone()) {
                        batch.add(call);
                    }
                }
                if (batch.isEmpty()) {
                    arrived.awaitUninterruptibly();
                }
            }
        } finally {
            lock.unlock();
        }
        return batch;
    }

    private void perform(List<Call<?>> batch) {
        busy.giveUpAt(earliest(batch) - clocks.slackNanos());
        try {
            StoreSession current = enterCurrentSession(batch);
            try {
                boolean writes = batch.stream().anyMatch(Call::writes);
                List<Call<?>> writing = writes && current.canWrite() ? batch : read(current, batch);
                writing = writing.stream().filter(call -> !call.isDone()).toList();
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
    private StoreSession enterCurrentSession(List<Call<?>> batch) throws IOException, SQLException {
        if (session.isPresent() && !session.get().isCurrent()) {
            session = Optional.empty();
            batch.forEach(Call::failAsReplaced);
        }
        while (session.isEmpty() || !session.get().enter()) {
            session = Optional.of(store.open(durability, busy));
        }
        StoreSession current = session.get();
        if (last.hasDatabase() && !last.equals(current.identity())) {
            batch.forEach(Call::failAsReplaced);
        }
        last = current.identity();
        return current;
    }

    /** Runs calls without the write lock; those that need it. */
    private List<Call<?>> read(StoreSession current, List<Call<?>> batch) throws IOException, SQLException {
        List<Call<?>> read = new ArrayList<>();
        List<Call<?>> needWrite = new ArrayList<>();
        Tx tx = new Tx(current, clocks.timeline(), clocks.boot(), false);
        for (Call<?> call : batch) {
            try {
                call.run(tx);
                read.add(call);
            } catch (NeedsWrite e) {
                needWrite.add(call);
            }
        }
        answer(current, read);
        return current.isCurrent() ? needWrite : again(needWrite);
    }

    private void write(StoreSession current, List<Call<?>> batch) throws IOException, SQLException {
        Sql sql = current.sql().orElseThrow();
        sql.execute("begin immediate");
        try {
            batch.forEach(Call::entersTransaction);
            Tx tx = new Tx(current, clocks.timeline(), clocks.boot(), true);
            for (Call<?> call : batch) {
                call.run(tx);
            }
        } catch (SQLException | RuntimeException e) {
            rollBack(sql);
            batch.forEach(Call::leavesTransaction);
            throw e;
        } catch (NeedsWrite impossible) {
            throw new IllegalStateException("a transaction that writes was asked to write", impossible);
        }
        commit(sql, batch);
        answer(current, batch);
    }

    private void commit(Sql sql, List<Call<?>> batch) throws SQLException {
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
    private void answer(StoreSession current, List<Call<?>> ran) throws IOException {
        boolean counts;
        try {
            counts = current.isCurrent();
        } catch (IOException e) {
            fail(ran, uncertain("it cannot be looked at: " + e));
            throw e;
        }
        if (counts) {
            ran.forEach(Call::answer);
            return;
        }
        session = Optional.empty();
        ran.forEach(Call::failAsReplaced);
        List<Call<?>> repeatable = new ArrayList<>();
        for (Call<?> call : ran) {
            if (call.isRepeatable()) {
                repeatable.add(call);
            } else {
                call.fail(uncertain("it was deleted, moved or replaced meanwhile"));
            }
        }
        again(repeatable);
    }

    private CoordinatorException uncertain(String why) {
        return new CoordinatorException("written to the coordinator file " + store.path() + ", but " + why, true);
    }

    /** Puts calls back at the head of those that wait. */
    private List<Call<?>> again(List<Call<?>> calls) {
        lock.lock();
        try {
            for (int i = calls.size() - 1; i >= 0; i--) {
                calls.get(i).leavesTransaction();
                waiting.addFirst(calls.get(i));
            }
        } finally {
            lock.unlock();
        }
        return List.of();
    }

    /** Nothing was committed. Calls that only waited for a lock wait on, as long as they may. */
    private void refuse(List<Call<?>> batch, SQLException e) {
        CoordinatorException failure = Failures.beforeCommit(store.path(), e);
        if (!Failures.isBusy(e)) {
            dropSession();
            fail(batch, failure);
            return;
        }
        long now = clocks.timeline().nanos();
        List<Call<?>> patient = new ArrayList<>();
        for (Call<?> call : batch) {
            if (call.deadlineNanos() - clocks.slackNanos() - now > 0) {
                patient.add(call);
            } else {
                call.fail(failure);
            }
        }
        again(patient);
    }

    private void dropSession() {
        session.ifPresent(StoreSession::close);
        session = Optional.empty();
    }

    private static void fail(List<? extends Call<?>> batch, CoordinatorException why) {
        batch.forEach(call -> call.fail(why));
    }

    private static long earliest(List<Call<?>> batch) {
        long earliest = batch.get(0).deadlineNanos();
        for (Call<?> call : batch) {
            earliest = call.deadlineNanos() - earliest < 0 ? call.deadlineNanos() : earliest;
        }
        return earliest;
    }
}
