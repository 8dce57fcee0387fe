package dev.incumbent.agent.alarms;

import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Tells listeners on a thread of their own, in order: a log that blocks delays no owner. {@link #MOST_WAITING} alarms wait; what comes above is told to nobody, but listed. Thread-safe; no call
 * but {@link #close} blocks.
 */
public final class QueuedAlarms implements AlarmListener, AutoCloseable {
    /** Alarms that wait to be told. */
    public static final int MOST_WAITING = 1_000;

    private static final long PATIENCE_SECONDS = 2;

    private final List<AlarmListener> listeners;
    private final ThreadPoolExecutor thread =
            new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(MOST_WAITING), work -> {
                Thread one = new Thread(work, "incumbent-agent-alarm-told");
                one.setDaemon(true);
                return one;
            });

    /** They are called one at a time. */
    public QueuedAlarms(List<AlarmListener> listeners) {
        this.listeners = List.copyOf(listeners);
    }

    @Override
    public void onAlarm(ConflictAlarm alarm) {
        try {
            thread.execute(() -> listeners.forEach(one -> one.onAlarm(alarm)));
        } catch (RejectedExecutionException full) {
            // It is listed, and its metric counts it.
        }
    }

    /** Tells what waits, for a moment at most. Blocks until then. */
    @Override
    public void close() {
        thread.shutdown();
        try {
            if (!thread.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                thread.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
