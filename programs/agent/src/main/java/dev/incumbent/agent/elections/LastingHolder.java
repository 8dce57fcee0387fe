package dev.incumbent.agent.elections;

import dev.incumbent.supervisor.WatchdogHolder;
import dev.incumbent.supervisor.WatchdogHolder.Told;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The process that holds the device, or the next one where that is gone. No other can hold a device that counts: the kernel would feed it, so a new holder refuses it.
 *
 * <p>Thread-safe; only {@link #open} and {@link #close} block. What it tells is told on a thread of its own.
 */
final class LastingHolder implements AutoCloseable {
    private static final Duration EACH_TRY = Duration.ofSeconds(5);

    private final List<String> program;
    private final Path device;
    private final Path socket;
    private final LongSupplier clock;
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile WatchdogHolder now;

    /** Whoever uses the device. */
    interface Hearing {
        /** A process holds the device from now on. Told first, and again after each {@link WatchdogHolder.Kind#GONE}. */
        void holds(WatchdogHolder holder);

        /** The answer of the one that holds it. */
        void answered(Told told);

        /** No other process can hold it now. Another attempt follows. */
        void refused(String why);
    }

    private LastingHolder(List<String> program, Path device, Path socket, LongSupplier clock, WatchdogHolder first) {
        this.program = List.copyOf(program);
        this.device = device;
        this.socket = socket;
        this.clock = clock;
        this.now = first;
    }

    /**
     * Connects to the process that holds the device, or starts it.
     *
     * @throws IOException if the device cannot be used, with a sentence
     */
    static LastingHolder open(List<String> program, Path device, Path socket, LongSupplier clock) throws IOException {
        return new LastingHolder(program, device, socket, clock, WatchdogHolder.open(program, device, socket, clock));
    }

    /** Tells all from the beginning. Called once. */
    void hear(Hearing hears) {
        begin(now, hears);
    }

    private void begin(WatchdogHolder holder, Hearing hears) {
        hears.holds(holder);
        holder.hear(told -> answered(told, hears));
    }

    /** On the thread of the holder that answers; it ends with the last answer, so it may try for long. */
    private void answered(Told told, Hearing hears) {
        hears.answered(told);
        if (told.kind() == WatchdogHolder.Kind.GONE) {
            replace(hears);
        }
    }

    private void replace(Hearing hears) {
        try {
            for (boolean over = closed.getCount() == 0; !over; ) {
                over = tryAgain(hears) || closed.await(EACH_TRY.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean tryAgain(Hearing hears) {
        try {
            adopt(WatchdogHolder.open(program, device, socket, clock), hears);
            return true;
        } catch (IOException unusable) {
            hears.refused(Objects.requireNonNullElse(unusable.getMessage(), unusable.toString()));
            return false;
        }
    }

    /** One that came after the end is let go. */
    private synchronized void adopt(WatchdogHolder next, Hearing hears) {
        if (closed.getCount() == 0) {
            next.close();
        } else {
            now = next;
            begin(next, hears);
        }
    }

    /** The one that holds the device now; what is said to one that is gone is lost. */
    WatchdogHolder now() {
        return now;
    }

    /** Lets go of the device. If it counts, it counts on. Blocks for a second at most. */
    @Override
    public synchronized void close() {
        closed.countDown();
        now.close();
    }
}
