package dev.incumbent.health;

import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Calls listeners in order, on a daemon thread of its own. What one throws goes to the thread's handler of uncaught exceptions, and the next one is called. */
final class Telling {
    private static final int IDLE_SECONDS = 10;

    private final List<HealthListener> listeners;
    private final ThreadPoolExecutor thread = new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(Bounds.MOST_UNTOLD),
            Telling::daemon,
            new ThreadPoolExecutor.DiscardOldestPolicy());

    Telling(List<HealthListener> listeners) {
        this.listeners = List.copyOf(listeners);
        thread.allowCoreThreadTimeOut(true);
    }

    void tell(Consumer<HealthListener> what) {
        listeners.forEach(listener -> thread.execute(() -> what.accept(listener)));
    }

    /** What was to be told until now is told. */
    void close() {
        thread.shutdown();
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "incumbent-health-told");
        thread.setDaemon(true);
        return thread;
    }
}
