package dev.incumbent.coordinator.etcd;

import dev.incumbent.coordinator.Watch;
import dev.incumbent.coordinator.Watcher;
import java.util.function.Consumer;

/** One watch. Its watcher is called in turns. */
final class Watching implements Watch {
    private final Watcher watcher;
    private final Consumer<Watching> whenClosed;
    private volatile boolean closed;

    Watching(Watcher watcher, Consumer<Watching> whenClosed) {
        this.watcher = watcher;
        this.whenClosed = whenClosed;
    }

    /** Tells its watcher something, unless it is closed. A watcher that throws silences nobody else. */
    void tell(Consumer<Watcher> what) {
        if (closed) {
            return;
        }
        try {
            what.accept(watcher);
        } catch (RuntimeException e) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
        }
    }

    boolean isClosed() {
        return closed;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            whenClosed.accept(this);
        }
    }
}
