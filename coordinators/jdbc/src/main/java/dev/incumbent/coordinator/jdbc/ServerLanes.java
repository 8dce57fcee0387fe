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
import java.util.function.Consumer;

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
        Request<T> request = new Request<>(
                work, writes, share, timeline.nanos() + store.requestTimeout().toNanos());
        request.boundBy(timeline, store.label());
        if (!enqueue(request)) {
            request.fail("the coordinator " + store.label() + " is closed");
        }
        return request.reply();
    }

    private boolean enqueue(Request<?> request) {
        return enqueue(request, waiting::addLast);
    }

    /** They have waited: they go first. */
    private void leaveAlone(List<Request<?>> requests) {
        for (int i = requests.size() - 1; i >= 0; i--) {
            Request<?> request = requests.get(i);
            request.goAlone();
            if (!enqueue(request, waiting::addFirst)) {
                request.fail("the coordinator " + store.label() + " is closed");
            }
        }
    }

    private boolean enqueue(Request<?> request, Consumer<Request<?>> place) {
        lock.lock();
        try {
            if (closed) {
                return false;
            }
            place.accept(request);
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
        private volatile List<Request<?>> running = List.of();

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
            List<Request<?>> next = next();
            if (next.isEmpty()) {
                return false;
            }
            running = next;
            List<Runnable> answers = next.size() == 1 ? List.of(performed(next.get(0))) : performedTogether(next);
            running = List.of();
            becomeIdle();
            answers.forEach(Runnable::run);
            return true;
        }

        /** The next call, with those that may be one statement with it; none when there is nothing to be done any more. */
        private List<Request<?>> next() {
            lock.lock();
            try {
                long left = stays ? Long.MAX_VALUE : IDLE_NANOS;
                while (waiting.isEmpty() && !closed && left > 0) {
                    left = arrived.awaitNanos(left);
                }
                idle--;
                if (waiting.isEmpty()) {
                    lanes.remove(this);
                    return List.of();
                }
                return Sharing.takenFrom(waiting);
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

        /** Lets calls run as one statement; who was left out goes alone. What the server refuses as a whole was not done. */
        private List<Runnable> performedTogether(List<Request<?>> requests) {
            List<Request<?>> sent = new ArrayList<>();
            List<Runnable> answers = new ArrayList<>();
            try {
                ServerSession current = current();
                long earliest = requests.get(0).deadlineNanos();
                current.bound(Duration.ofNanos(earliest - timeline.nanos()));
                requests.stream().filter(Request::send).forEach(sent::add);
                List<Request<?>> leftOut = sent.isEmpty() ? List.of() : Sharing.perform(sent, current, answers);
                answers.add(() -> leaveAlone(leftOut));
            } catch (CoordinatorException unconnected) {
                requests.forEach(request -> answers.add(() -> request.fail(unconnected)));
            } catch (SQLException e) {
                if (store.dialect().meaning(e) == Dialect.Failure.UNKNOWN) {
                    broke();
                    requests.forEach(
                            request -> answers.add(() -> request.fail(store.failure(e, sent.contains(request)))));
                } else {
                    answers.add(() -> leaveAlone(sent));
                }
            } catch (RuntimeException | Error e) {
                broke();
                requests.forEach(request -> answers.add(
                        () -> request.fail(name + " of the coordinator " + store.label() + " failed: " + e)));
            }
            return answers;
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
            drop();
        }

        private void drop() {
            session.ifPresent(ServerSession::close);
            session = Optional.empty();
        }

        /** Ends the call under way, whether the server answers or not. */
        void abort() {
            List<Request<?>> underWay = running;
            if (!underWay.isEmpty()) {
                underWay.forEach(request -> request.fail("the coordinator " + store.label() + " was closed meanwhile"));
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
