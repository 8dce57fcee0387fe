package dev.incumbent.time;

import java.io.Closeable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The clocks of this machine, and the only class that reads them or sleeps.
 *
 * <p>Alarms run on one daemon thread, which starts with the first of them. They are one-shot, so whatever repeats keeps a fixed
 * delay: after a pause it fires once, not once for every tick missed. A task that throws is told to that thread's
 * uncaught-exception handler, and the next one runs all the same.
 */
public final class SystemTimeline implements Timeline, Closeable {
    private final ScheduledThreadPoolExecutor alarms;
    private final Optional<Uptime> uptime;

    /** Its alarms run on a thread called {@code incumbent-alarms}. */
    public SystemTimeline() {
        this("incumbent-alarms");
    }

    /** Its alarms run on a thread of that name. */
    public SystemTimeline(String alarmThread) {
        alarms = new ScheduledThreadPoolExecutor(
                1, loop -> daemon(loop, alarmThread), new ThreadPoolExecutor.DiscardPolicy());
        alarms.setRemoveOnCancelPolicy(true);
        uptime = Uptime.open(Path.of("/proc/uptime"));
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public long wallMillis() {
        return System.currentTimeMillis();
    }

    /** Linux's {@code /proc/uptime}, in steps of 10 ms; empty elsewhere. */
    @Override
    public OptionalLong bootNanos() {
        return uptime.isPresent() ? uptime.get().nanos() : OptionalLong.empty();
    }

    @Override
    public Alarm at(long nanos, Runnable task) {
        var scheduled = alarms.schedule(() -> run(task), nanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        return () -> scheduled.cancel(false);
    }

    /** Waits on the calling thread. */
    public static void sleep(Duration length) throws InterruptedException {
        long until = System.nanoTime() + length.toNanos();
        for (long left = length.toNanos(); left > 0; left = until - System.nanoTime()) {
            LockSupport.parkNanos(left);
            if (Thread.interrupted()) {
                throw new InterruptedException("interrupted with " + left + " ns of " + length + " left to sleep");
            }
        }
    }

    /** Drops the alarms that have not run, and those set later, and ends the thread. Clocks may still be read, save the boot-time one. May be called twice. */
    @Override
    public void close() {
        alarms.shutdownNow();
        uptime.ifPresent(Uptime::close);
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
        }
    }

    private static Thread daemon(Runnable loop, String name) {
        Thread thread = new Thread(loop, name);
        thread.setDaemon(true);
        return thread;
    }
}
