package dev.incumbent.internal;

import dev.incumbent.Trace;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * A strand on a thread of its own: the one that owns the state of all elections of a process. Whatever is given to it runs there, in order; when nothing is left
 * to run, what was collected meanwhile is flushed. A task that throws is traced, and the next one runs.
 */
final class Loop implements Strand {
    /** After so many tasks in a row it flushes although more wait. */
    private static final int LONGEST_TURN = 1_000;

    private final LinkedBlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
    private final Runnable flush;
    private final Trace trace;
    private final Thread thread;
    private volatile boolean closed;

    Loop(String name, Runnable flush, Trace trace) {
        this.flush = flush;
        this.trace = trace;
        this.thread = new Thread(this::run, name);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
    }

    Thread thread() {
        return thread;
    }

    @Override
    public void close() {
        execute(() -> closed = true);
    }

    private void run() {
        int turn = 0;
        while (!closed) {
            try {
                Runnable task = tasks.take();
                attempt(task);
                turn++;
                if (tasks.isEmpty() || turn >= LONGEST_TURN) {
                    attempt(flush);
                    turn = 0;
                }
            } catch (InterruptedException nobodyElseMayEndThisThread) {
                trace.failed("thread " + thread.getName() + " was interrupted", nobodyElseMayEndThisThread);
            }
        }
    }

    private void attempt(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            trace.failed("a task of thread " + thread.getName(), e);
        }
    }
}
