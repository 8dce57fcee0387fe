package dev.incumbent.coordinator;

import dev.incumbent.model.ElectionName;
import dev.incumbent.model.ObservedRecord;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * An adapter's end of one watch: tells its watcher until it is closed.
 *
 * <p>One thread at a time tells it; which, and in which order, is the adapter's affair. Any thread may close it.
 */
public final class Watching implements Watch {
    private final ElectionName election;
    private final Watcher watcher;
    private final Consumer<Watching> whenClosed;
    private volatile boolean closed;
    private boolean begun;

    /** One that is open; the thread that closes it calls {@code whenClosed}, which may be called again where two threads close it at once. */
    public Watching(ElectionName election, Watcher watcher, Consumer<Watching> whenClosed) {
        this.election = election;
        this.watcher = watcher;
        this.whenClosed = whenClosed;
    }

    public ElectionName election() {
        return election;
    }

    /** Has it been told a state yet? Asked by who tells. */
    public boolean isBegun() {
        return begun;
    }

    public boolean isClosed() {
        return closed;
    }

    /** Tells its watcher a state, or a gap where it cannot be understood. */
    public void tellState(Optional<ObservedRecord> state) {
        begun = true;
        tell(state.isPresent() ? told -> told.changed(state.get()) : Watcher::gap);
    }

    /** Tells its watcher something, unless it is closed. What a watcher throws goes to the thread's handler, and silences nobody else. */
    public void tell(Consumer<Watcher> what) {
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

    /** Ends it without calling anybody: the coordinator itself ends. */
    public void silence() {
        closed = true;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            whenClosed.accept(this);
        }
    }
}
