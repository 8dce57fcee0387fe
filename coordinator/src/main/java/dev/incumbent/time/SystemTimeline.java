package dev.incumbent.time;

import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

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
        uptime = Uptime.open();
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

    /**
     * The file {@code /proc/uptime}, held open. Read through a {@link RandomAccessFile} and not a channel: a channel is closed, for
     * everybody, by the first interrupted thread that reads it, and tasks that are being stopped are just that.
     */
    private static final class Uptime {
        private static final int LONGEST = 64;
        private static final long NANOS_PER_CENTISECOND = 10_000_000L;

        private final ReentrantLock lock = new ReentrantLock();
        private final RandomAccessFile file;

        private Uptime(RandomAccessFile file) {
            this.file = file;
        }

        static Optional<Uptime> open() {
            try {
                Uptime opened = new Uptime(new RandomAccessFile("/proc/uptime", "r"));
                if (opened.nanos().isPresent()) {
                    return Optional.of(opened);
                }
                opened.close();
                return Optional.empty();
            } catch (IOException absent) {
                return Optional.empty();
            }
        }

        OptionalLong nanos() {
            byte[] bytes = new byte[LONGEST];
            lock.lock();
            try {
                file.seek(0);
                return parse(bytes, file.read(bytes));
            } catch (IOException gone) {
                return OptionalLong.empty();
            } finally {
                lock.unlock();
            }
        }

        void close() {
            try {
                file.close();
            } catch (IOException nothingIsLostByIt) {
                // A file that was only read loses nothing.
            }
        }

        /** Reads {@code 12345.67} up to the first blank. */
        private static OptionalLong parse(byte[] bytes, int length) {
            String text = length <= 0 ? "" : new String(bytes, 0, length, StandardCharsets.US_ASCII);
            int dot = text.indexOf('.');
            int blank = text.indexOf(' ');
            if (dot < 1 || blank != dot + 3) {
                return OptionalLong.empty();
            }
            try {
                long centiseconds = Long.parseLong(text.substring(0, dot) + text.substring(dot + 1, blank));
                return OptionalLong.of(centiseconds * NANOS_PER_CENTISECOND);
            } catch (NumberFormatException e) {
                return OptionalLong.empty();
            }
        }
    }
}
