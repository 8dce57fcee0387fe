package dev.incumbent.coordinator.zookeeper;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The one thread that owns a coordinator's state: what is handed to it runs in order, one at a time. Once closed it drops what it is handed. */
final class Turns implements Executor, AutoCloseable {
    private final ThreadPoolExecutor thread = new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Turns::daemon,
            new ThreadPoolExecutor.DiscardPolicy());

    private static Thread daemon(Runnable loop) {
        Thread thread = new Thread(loop, "incumbent-zookeeper");
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public void execute(Runnable turn) {
        thread.execute(() -> {
            try {
                turn.run();
            } catch (RuntimeException | Error e) {
                Thread current = Thread.currentThread();
                current.getUncaughtExceptionHandler().uncaughtException(current, e);
            }
        });
    }

    /** What was handed to it before still runs. */
    @Override
    public void close() {
        thread.shutdown();
    }
}
