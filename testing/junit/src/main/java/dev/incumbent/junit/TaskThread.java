package dev.incumbent.junit;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The thread of one task. It and the world's thread run in turn: whichever hands over waits for the other, so that all that one has done is seen by the other, and nothing needs a lock.
 */
final class TaskThread {
    private static final int MOST_LISTED = 16;

    private final ThreadGroup group;
    private final Thread thread;
    private final Duration limit;
    private final Semaphore mayRun = new Semaphore(0);
    private final Semaphore hasHandedOver = new Semaphore(0);
    private Optional<Throwable> thrown = Optional.empty();
    private boolean started;
    private boolean over;
    private volatile boolean unwinds;

    /** What a task does, until it returns or throws. */
    @FunctionalInterface
    interface Body {
        void run() throws Exception;
    }

    /** How a turn of a task has ended. */
    enum Turn {
        HANDED_OVER,
        OVER,
        NOT_BACK,
        INTERRUPTED
    }

    TaskThread(String name, Body body, Duration limit) {
        this.group = new ThreadGroup(name);
        this.limit = limit;
        this.thread = new Thread(group, () -> run(body), name);
        thread.setDaemon(true);
    }

    private void run(Body body) {
        mayRun.acquireUninterruptibly();
        try {
            goOn();
            body.run();
        } catch (Throwable any) {
            thrown = Optional.of(any);
        }
        over = true;
        hasHandedOver.release();
    }

    /** On the world's thread: lets the task run until it hands over, is over, or has used up its limit of real time. */
    Turn turn() {
        if (!started) {
            started = true;
            thread.start();
        }
        mayRun.release();
        try {
            if (!hasHandedOver.tryAcquire(limit.toNanos(), TimeUnit.NANOSECONDS)) {
                return Turn.NOT_BACK;
            }
        } catch (InterruptedException ofTheTest) {
            Thread.currentThread().interrupt();
            return Turn.INTERRUPTED;
        }
        return over ? Turn.OVER : Turn.HANDED_OVER;
    }

    /** On the task's thread: waits for its next turn. Keeps an interrupt. */
    void handOver() {
        goOn();
        hasHandedOver.release();
        mayRun.acquireUninterruptibly();
        goOn();
    }

    /** Throws where the task is to end. */
    void goOn() {
        if (unwinds) {
            throw new ProcessEnded();
        }
    }

    /** From its next turn on, or from the next call of the world, it ends. */
    void unwind() {
        unwinds = true;
    }

    boolean isMine() {
        return Thread.currentThread() == thread;
    }

    void interrupt() {
        thread.interrupt();
    }

    boolean hasStarted() {
        return started;
    }

    /** What the task has thrown; empty where it has returned. */
    Optional<Throwable> thrown() {
        return thrown;
    }

    /** Where it stands, a line a frame. */
    String stack() {
        StringBuilder text = new StringBuilder();
        for (StackTraceElement frame : thread.getStackTrace()) {
            text.append("%n        at %s".formatted(frame));
        }
        return text.toString();
    }

    /** The names of threads that the task has started and that run yet. */
    Stream<String> others() {
        Thread[] all = new Thread[MOST_LISTED];
        int count = group.enumerate(all);
        return Stream.of(all)
                .limit(count)
                .filter(one -> one != thread)
                .map(Thread::getName)
                .sorted();
    }
}
