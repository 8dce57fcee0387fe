package dev.incumbent.calls;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * A queue of calls, and the daemon threads that serve them, each by a {@link Server} of its own. The first thread starts with the first call and stays; others come
 * when calls wait and nobody is free, and go when they have been idle. Thread-safe; never blocks a caller.
 *
 * <p>A call that was submitted ends: by its server, at its deadline, or because the lane closes, is full, or cannot start a thread.
 */
public final class Lane<C extends Call<?>> implements AutoCloseable {
    private final Rules rules;
    private final Deadlines deadlines;
    private final Failures failures;
    private final Supplier<? extends Server<C>> servers;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    private final Condition ended = lock.newCondition();
    private final Backlog<C> backlog;
    private final Set<Worker> workers = new LinkedHashSet<>();
    private int started;

    /** A lane without a thread. {@code failures} tells of calls that the lane itself ends. */
    public Lane(Rules rules, Deadlines deadlines, Failures failures, Supplier<? extends Server<C>> servers) {
        this.rules = rules;
        this.deadlines = deadlines;
        this.failures = failures;
        this.servers = servers;
        this.backlog = new Backlog<>(rules.mostWaiting(), rules.mostThreads());
    }

    /**
     * What a lane may take.
     *
     * @param thread the name of its threads
     * @param idle how long a thread other than the first waits for a call before it ends
     */
    public record Rules(String thread, int mostThreads, Duration idle, int mostWaiting, long stackBytes) {
        /** One thread with a stack of the usual size, and any number of calls that wait. */
        public static Rules oneThread(String name) {
            return new Rules(name, 1, Duration.ZERO, Integer.MAX_VALUE, 0);
        }

        /** These rules, where no more than that many calls may wait. */
        public Rules withMostWaiting(int calls) {
            return new Rules(thread, mostThreads, idle, calls, stackBytes);
        }

        /** These rules, with threads that have so small a stack. */
        public Rules withStackBytes(long bytes) {
            return new Rules(thread, mostThreads, idle, mostWaiting, bytes);
        }

        /** These rules, with more threads than one. */
        public Rules withThreads(int most, Duration untilIdleEnds) {
            return new Rules(thread, most, untilIdleEnds, mostWaiting, stackBytes);
        }
    }

    /** Lets a call be served, and ends it at its deadline. */
    public void submit(C call) {
        call.limit(deadlines, "did not answer in time", failures, () -> abandon(call));
        submitWithoutLimit(call);
    }

    /** Lets a call be served that ends at its deadline by other means. */
    public void submitWithoutLimit(C call) {
        place(call, false);
    }

    /** Lets calls be served again of which the store surely did nothing, in their order and before those that wait. */
    public void again(List<? extends C> calls) {
        for (int i = calls.size() - 1; i >= 0; i--) {
            C call = calls.get(i);
            call.takeBack();
            place(call, true);
        }
    }

    private void place(C call, boolean first) {
        Backlog.Place place;
        List<C> unserved = List.of();
        lock.lock();
        try {
            place = first ? backlog.first(call) : backlog.last(call);
            if (place == Backlog.Place.WAITS_FOR_A_NEW_THREAD && !starts()) {
                unserved = backlog.notStarted();
            }
            arrived.signal();
        } finally {
            lock.unlock();
        }
        if (place == Backlog.Place.CLOSED) {
            call.fail("is closed", failures);
        } else if (place == Backlog.Place.FULL) {
            call.fail("has " + rules.mostWaiting() + " calls waiting already", failures);
        }
        unserved.forEach(left -> left.fail("cannot be asked: no thread can be started", failures));
    }

    private boolean starts() {
        Worker worker = new Worker(workers.isEmpty());
        try {
            worker.thread.start();
        } catch (OutOfMemoryError noThread) {
            return false;
        }
        workers.add(worker);
        return true;
    }

    /** Its time has run out. If it was served, and nobody waits for any of those that are served with it, their server hears of it. */
    private void abandon(C call) {
        lock.lock();
        try {
            for (Worker worker : workers) {
                if (worker.underWay.contains(call) && worker.underWay.stream().allMatch(Call::isOver)) {
                    worker.server.abandoned();
                }
            }
        } finally {
            lock.unlock();
        }
    }

    public boolean isClosed() {
        lock.lock();
        try {
            return backlog.isClosed();
        } finally {
            lock.unlock();
        }
    }

    /** Lets a server's thread wait; shorter, if the lane is closed. */
    public void pause(Duration length) {
        lock.lock();
        try {
            long left = length.toNanos();
            while (left > 0 && !backlog.isClosed()) {
                left = arrived.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    /** Ends all calls, those that are being served included. Never blocks, may be called twice. */
    @Override
    public void close() {
        List<C> left = new ArrayList<>();
        List<Worker> serving;
        lock.lock();
        try {
            left.addAll(backlog.closes());
            serving = List.copyOf(workers);
            serving.forEach(worker -> left.addAll(worker.underWay));
            arrived.signalAll();
        } finally {
            lock.unlock();
        }
        left.forEach(call -> call.fail("was closed meanwhile", failures));
        lock.lock();
        try {
            serving.stream().filter(worker -> !worker.underWay.isEmpty()).forEach(worker -> worker.server.aborted());
        } finally {
            lock.unlock();
        }
    }

    /** Ends the calls that wait, and lets those that are being served come to their end. Does not wait for that: {@link #join} does. */
    public void finish() {
        List<C> left;
        lock.lock();
        try {
            left = backlog.closes();
            arrived.signalAll();
        } finally {
            lock.unlock();
        }
        left.forEach(call -> call.fail("was closed meanwhile", failures));
    }

    /** After a close: waits until its threads have ended, for as long at most; for its own thread it does not wait. An interrupt ends the wait, and stays set. */
    public void join(Duration most) {
        lock.lock();
        try {
            long left = most.toNanos();
            while (left > 0 && workers.stream().anyMatch(worker -> worker.thread != Thread.currentThread())) {
                left = ended.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    /** One thread with its server. */
    private final class Worker {
        private final boolean stays;
        private final Server<C> server = servers.get();
        private final Thread thread;
        /** Guarded by the lane's lock. */
        private List<C> underWay = List.of();

        Worker(boolean stays) {
            this.stays = stays;
            String name = rules.mostThreads() == 1 ? rules.thread() : rules.thread() + "-" + ++started;
            this.thread = new Thread(null, this::run, name, rules.stackBytes());
            thread.setDaemon(true);
        }

        private void run() {
            boolean goesOn = true;
            becomeFree();
            while (goesOn) {
                goesOn = serveNext();
            }
            try {
                server.leave();
            } finally {
                end();
            }
        }

        /** Only now: who joins waits for what a server does when it leaves. */
        private void end() {
            lock.lock();
            try {
                workers.remove(this);
                ended.signalAll();
            } finally {
                lock.unlock();
            }
        }

        /** False once there is nothing to do any more. What it served is forgotten when it returns: answers may be long, and so may the wait for the next call. */
        private boolean serveNext() {
            List<C> together = next();
            if (together.isEmpty()) {
                return false;
            }
            Runnable outcome = served(together);
            becomeFree();
            tell(outcome);
            return true;
        }

        private Runnable served(List<C> together) {
            try {
                return server.serve(together);
            } catch (RuntimeException | Error e) {
                return () -> together.forEach(call -> call.fail("failed: " + e, because(e)));
            }
        }

        private Failures because(Throwable unexpected) {
            return (why, mayHaveApplied) -> {
                RuntimeException told = failures.of(why, mayHaveApplied);
                told.addSuppressed(unexpected);
                return told;
            };
        }

        private void tell(Runnable outcome) {
            try {
                outcome.run();
            } catch (RuntimeException | Error e) {
                thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
            }
        }

        /** What it serves next, at least one call; none once it is to end. */
        private List<C> next() {
            lock.lock();
            try {
                long left = stays ? Long.MAX_VALUE : rules.idle().toNanos();
                underWay = backlog.taken(server);
                while (underWay.isEmpty() && !backlog.isClosed() && left > 0) {
                    try {
                        left = arrived.awaitNanos(left);
                    } catch (InterruptedException meantForWhatWasServed) {
                        // The wait goes on.
                    }
                    underWay = backlog.taken(server);
                }
                if (underWay.isEmpty()) {
                    backlog.leaves();
                }
                return underWay;
            } finally {
                lock.unlock();
            }
        }

        /** Before the outcome of what it served is told. */
        private void becomeFree() {
            lock.lock();
            try {
                underWay = List.of();
                backlog.frees();
            } finally {
                lock.unlock();
            }
        }
    }
}
