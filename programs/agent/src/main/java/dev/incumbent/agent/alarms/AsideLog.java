package dev.incumbent.agent.alarms;

import dev.incumbent.Elections;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The logger of the elections, for threads that a log which blocks must not delay: lines are written on a thread of their own, in order. {@link #MOST_WAITING} wait; what comes above is dropped. Nothing is
 * thrown. Thread-safe.
 */
public final class AsideLog {
    /** Lines that wait to be written. */
    static final int MOST_WAITING = 100;

    private static final Logger LOGGER = System.getLogger(Elections.LOGGER);
    private final ThreadPoolExecutor thread = thread();

    /** With a thread of its own, which ends when there is nothing to write. */
    public AsideLog() {}

    private static ThreadPoolExecutor thread() {
        ThreadPoolExecutor made = new ThreadPoolExecutor(
                1,
                1,
                1,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(MOST_WAITING),
                work -> {
                    Thread one = new Thread(work, "incumbent-agent-log");
                    one.setDaemon(true);
                    return one;
                },
                new ThreadPoolExecutor.DiscardPolicy());
        made.allowCoreThreadTimeOut(true);
        return made;
    }

    /** Writes a line, soon. */
    public void log(Level level, String line) {
        aside(() -> LOGGER.log(level, line));
    }

    /** Writes a line with a stack, soon. */
    public void log(Level level, String line, Throwable thrown) {
        aside(() -> LOGGER.log(level, line, thrown));
    }

    private void aside(Runnable writes) {
        try {
            thread.execute(writes);
        } catch (RuntimeException | Error noThread) {
            // Who logs goes on; there is nowhere left to tell it.
        }
    }
}
