package dev.incumbent.agent.alarms;

import dev.incumbent.Elections;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Tells listeners on a thread of their own, in order: a log that blocks delays no owner. {@link #MOST_WAITING} alarms wait; what comes above is told to nobody, but listed, and how many those were is
 * said afterwards. A listener that throws is logged, and keeps none after it from hearing. Thread-safe; no call but {@link #close} blocks.
 */
public final class QueuedAlarms implements AlarmListener, AutoCloseable {
    /** Alarms that wait to be told. */
    public static final int MOST_WAITING = 1_000;

    private static final long PATIENCE_SECONDS = 2;

    private final AlarmTelling telling = new AlarmTelling();
    private final List<AlarmListener> listeners;
    private final Consumer<String> says;
    private final AtomicLong dropped = new AtomicLong();
    private final ThreadPoolExecutor thread =
            new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(MOST_WAITING), work -> {
                Thread one = new Thread(work, "incumbent-agent-alarm-told");
                one.setDaemon(true);
                return one;
            });

    /** They are called one at a time. */
    public QueuedAlarms(List<AlarmListener> listeners) {
        this(listeners, said -> System.getLogger(Elections.LOGGER).log(Level.WARNING, said));
    }

    QueuedAlarms(List<AlarmListener> listeners, Consumer<String> says) {
        this.listeners = List.copyOf(listeners);
        this.says = says;
    }

    @Override
    public void onAlarm(ConflictAlarm alarm) {
        try {
            thread.execute(() -> tell(alarm));
        } catch (RejectedExecutionException full) {
            dropped.incrementAndGet();
        }
    }

    /** That some were dropped is said on this thread, too: whoever hears it may block. */
    private void tell(ConflictAlarm alarm) {
        listeners.forEach(one -> telling.tell(one, alarm));
        long untold = dropped.getAndSet(0);
        if (untold > 0) {
            says.accept(untold + " changes of alarms were told to nobody, because " + MOST_WAITING
                    + " waited to be told: look at GET /v1/alarms");
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
