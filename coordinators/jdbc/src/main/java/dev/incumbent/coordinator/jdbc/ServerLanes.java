package dev.incumbent.coordinator.jdbc;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.time.Timeline;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Some daemon threads, each with a session of its own, and the calls that wait for one of them. The first stays; the others come when calls
 * wait, and go when they have been idle. Thread-safe; never blocks a caller.
 */
final class ServerLanes implements AutoCloseable {
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long STACK_BYTES = 512 << 10;

    private final String name;
    private final int most;
    private final ServerStore store;
    private final Timeline timeline;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    private final Deque<Request<?>> waiting = new ArrayDeque<>();
    private final List<Lane> lanes = new ArrayList<>();
    private int idle;
    private boolean closed;

    ServerLanes(String name, int most, ServerStore store, Timeline timeline) {
        this.name = name;
        this.most = most;
        this.store = store;
        this.timeline = timeline;
    }

    /** Lets a call that writes run. */
    <T> CompletableFuture<T> write(ServerWork<T> work) {
        return submit(work, true);
    }

    /** Lets a call run that writes nothing, or only what may be written twice. */
    <T> CompletableFuture<T> read(ServerWork<T> work) {
        return submit(work, false);
    }

    private <T> CompletableFuture<T> submit(ServerWork<T> work, boolean writes) {
        Request<T> request = new Request<>(
                work, writes, timeline.nanos() + store.requestTimeout().toNanos());
        request.boundBy(timeline, store.label());
        if (!enqueue(request)) {
            request.fail("the coordinator " + store.label() + " is closed");
        }
        return request.reply();
    }

    private boolean enqueue(Request<?> request) {
        lock.lock();
        try {
            if (closed) {
                return false;
            }
            waiting.addLast(request);
            if (waiting.size() > idle && lanes.size() < most) {
                lanes.add(new Lane(lanes.isEmpty()));
                lanes.get(lanes.size() - 1).start();
            }
            arrived.signal();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Ends what is under way and every session; waits for the threads as long as a call may take. */
    @Override
    public void close() {
        List<Lane> running;
        lock.lock();
        try {
            closed = true;
            waiting.forEach(request -> request.fail("the coordinator " + store.label() + " is closed"));
            waiting.clear();
            running = List.copyOf(lanes);
            arrived.signalAll();
        } finally {
            lock.unlock();
        }
        running.forEach(Lane::abort);
        running.forEach(Lane::join);
    }

    /** One thread with its session. */
    private final class Lane {
        private final boolean stays;
        private final Thread thread;
        private volatile Optional<ServerSession> session = Optional.empty();
        private volatile Optional<Request<?>> running = Optional.empty();

        Lane(boolean stays) {
            this.stays = stays;
            this.thread = new Thread(null, this::run, "incumbent-" + name, STACK_BYTES);
            thread.setDaemon(true);
        }

        void start() {
            thread.start();
        }

        private void run() {
            boolean goesOn = true;
            becomeIdle();
            while (goesOn) {
                goesOn = serveNext();
            }
            drop();
        }

        /** False where there is nothing to be done any more. What it did is forgotten when it returns: an answer may be long, and the wait for the next call, too. */
        private boolean serveNext() {
            Optional<Request<?>> next = next();
            if (next.isEmpty()) {
                return false;
            }
            running = next;
            Runnable answer = performed(next.get());
            running = Optional.empty();
            becomeIdle();
            answer.run();
            return true;
        }

        /** The next call; none when there is nothing to be done any more. */
        private Optional<Request<?>> next() {
            lock.lock();
            try {
                long left = stays ? Long.MAX_VALUE : IDLE_NANOS;
                while (waiting.isEmpty() && !closed && left > 0) {
                    left = arrived.awaitNanos(left);
                }
                idle--;
                Optional<Request<?>> next = Optional.ofNullable(waiting.pollFirst());
                if (next.isEmpty()) {
                    lanes.remove(this);
                }
                return next;
            } catch (InterruptedException nobodyInterruptsUs) {
                throw new IllegalStateException(nobodyInterruptsUs);
            } finally {
                lock.unlock();
            }
        }

        /** Before the answer: who hears it and calls again shall find this lane, and its session, free. */
        private void becomeIdle() {
            lock.lock();
            try {
                idle++;
            } finally {
                lock.unlock();
            }
        }

        /** Lets a call run; what answers it. */
        private Runnable performed(Request<?> request) {
            try {
                if (request.isDone()) {
                    return () -> {};
                }
                ServerSession current = current();
                current.bound(Duration.ofNanos(request.deadlineNanos() - timeline.nanos()));
                return request.send() ? sent(request, current) : () -> {};
            } catch (CoordinatorException unconnected) {
                return () -> request.fail(unconnected);
            } catch (SQLException e) {
                broke();
                return () -> request.fail(store.failure(e, false));
            } catch (RuntimeException | Error e) {
                broke();
                return () -> request.fail(name + " of the coordinator " + store.label() + " failed: " + e);
            }
        }

        private Runnable sent(Request<?> request, ServerSession current) {
            try {
                return request.run(current);
            } catch (CoordinatorException outcome) {
                return () -> request.fail(outcome);
            } catch (SQLException e) {
                if (store.dialect().meaning(e) == Dialect.Failure.UNKNOWN) {
                    broke();
                    if (request.mayRepeat() && enqueue(request)) {
                        return () -> {};
                    }
                }
                return () -> request.fail(store.failure(e, request.writes()));
            }
        }

        /** A session that is not known to be broken. */
        private ServerSession current() {
            if (session.isEmpty() || session.get().generation() != store.generation()) {
                drop();
                session = Optional.of(store.connect());
            }
            return session.get();
        }

        private void broke() {
            store.connectionBroke();
            session.ifPresent(ServerSession::abort);
            session = Optional.empty();
        }

        private void drop() {
            session.ifPresent(ServerSession::close);
            session = Optional.empty();
        }

        /** Ends the call under way, whether the server answers or not. */
        void abort() {
            Optional<Request<?>> underWay = running;
            if (underWay.isPresent()) {
                underWay.get().fail("the coordinator " + store.label() + " was closed meanwhile");
                session.ifPresent(ServerSession::abort);
            }
        }

        void join() {
            if (thread == Thread.currentThread()) {
                return;
            }
            try {
                thread.join(store.requestTimeout().toMillis() + 1);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
