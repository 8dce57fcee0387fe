package dev.incumbent.calls;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * The last value of a source that may block, where values end: credentials. The source is asked on a daemon thread of its own, once at a time. While the last value is
 * good, a caller gets it at once, whatever the source does; only where there is none that is good does a caller wait, and no longer than it says. Thread-safe.
 */
public final class Refreshed<T> implements AutoCloseable {
    /** The end of a value that does not end. */
    public static final long NEVER = Long.MAX_VALUE;

    /** The source knows itself when it is time for a new value: asked before that, it gives the last one again. */
    private static final long EVERY_NANOS = TimeUnit.MINUTES.toNanos(1);

    private static final long SOON_MILLIS = TimeUnit.MINUTES.toMillis(1);
    private static final long EVERY_NANOS_THEN = TimeUnit.SECONDS.toNanos(1);

    private final Clocks clocks;
    private final Supplier<T> source;
    private final ToLongFunction<T> endWallMillis;
    private final ExecutorService thread;

    /** Guarded by this, as all below. */
    private Optional<T> last = Optional.empty();

    private CompletableFuture<T> asking = new CompletableFuture<>();
    private boolean isAsking;
    private long begunNanos;

    /**
     * A value that nobody has asked for yet.
     *
     * @param thread the name of its thread, which ends while there is nothing to ask
     * @param endWallMillis when a value ends, or {@link #NEVER}
     */
    public Refreshed(String thread, Clocks clocks, Supplier<T> source, ToLongFunction<T> endWallMillis) {
        this.clocks = clocks;
        this.source = source;
        this.endWallMillis = endWallMillis;
        ThreadPoolExecutor one =
                new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread daemon = new Thread(task, thread);
                    daemon.setDaemon(true);
                    return daemon;
                });
        one.allowCoreThreadTimeOut(true);
        this.thread = one;
    }

    /**
     * The clocks by which values age and end.
     *
     * @param nanos the monotonic clock
     * @param wallMillis the wall clock, by which values end
     */
    public record Clocks(LongSupplier nanos, LongSupplier wallMillis) {}

    /** The source has not answered in time. */
    public static final class LateException extends RuntimeException {
        private static final long serialVersionUID = 1;

        LateException(String message) {
            super(message);
        }
    }

    /**
     * A value that is good, waited for if there is none. Throws what the source threw, or a {@link LateException}.
     *
     * @param mostNanos how long to wait
     */
    public T get(long mostNanos) {
        CompletableFuture<T> next;
        synchronized (this) {
            boolean isGood = last.isPresent() && leftMillis(last.get()) > 0;
            if (!isAsking && isDue(isGood)) {
                ask();
            }
            if (isGood) {
                return last.get();
            }
            next = asking;
        }
        return awaited(next, mostNanos);
    }

    private boolean isDue(boolean isGood) {
        long every = isGood && leftMillis(last.orElseThrow()) > SOON_MILLIS ? EVERY_NANOS : EVERY_NANOS_THEN;
        return !isGood || clocks.nanos().getAsLong() - begunNanos >= every;
    }

    private long leftMillis(T value) {
        long end = endWallMillis.applyAsLong(value);
        return end == NEVER ? NEVER : end - clocks.wallMillis().getAsLong();
    }

    private void ask() {
        CompletableFuture<T> next = new CompletableFuture<>();
        asking = next;
        isAsking = true;
        begunNanos = clocks.nanos().getAsLong();
        try {
            thread.execute(() -> ask(next));
        } catch (RejectedExecutionException closed) {
            isAsking = false;
            next.completeExceptionally(new LateException("is not asked any more: it was closed"));
        }
    }

    private void ask(CompletableFuture<T> next) {
        try {
            T value = source.get();
            synchronized (this) {
                last = Optional.of(value);
                isAsking = false;
            }
            next.complete(value);
        } catch (RuntimeException | Error failed) {
            synchronized (this) {
                isAsking = false;
            }
            next.completeExceptionally(failed);
        }
    }

    private T awaited(CompletableFuture<T> next, long mostNanos) {
        try {
            return next.get(mostNanos, TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e.getCause() instanceof RuntimeException thrown ? thrown : new IllegalStateException(e.getCause());
        } catch (TimeoutException e) {
            throw new LateException("has not answered for " + askedForMillis() + " ms");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LateException("was not waited for: the wait was interrupted");
        }
    }

    private synchronized long askedForMillis() {
        return TimeUnit.NANOSECONDS.toMillis(clocks.nanos().getAsLong() - begunNanos);
    }

    /** Interrupts the source, if it is being asked. Never blocks, may be called twice. */
    @Override
    public void close() {
        thread.shutdownNow();
        synchronized (this) {
            asking.completeExceptionally(new LateException("was not waited for: it was closed"));
        }
    }
}
