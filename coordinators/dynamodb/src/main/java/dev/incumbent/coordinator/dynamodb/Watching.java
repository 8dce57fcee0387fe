package dev.incumbent.coordinator.dynamodb;

import dev.incumbent.coordinator.Watch;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.ObservedRecord;
import java.util.Optional;
import java.util.function.Consumer;

/** One watch. Its watcher is called by the look under way alone, of which there is one at most. */
final class Watching implements Watch {
    private final ElectionName election;
    private final Watcher watcher;
    private final Consumer<Watching> onClose;
    private volatile boolean closed;
    private boolean begun;

    Watching(ElectionName election, Watcher watcher, Consumer<Watching> onClose) {
        this.election = election;
        this.watcher = watcher;
        this.onClose = onClose;
    }

    ElectionName election() {
        return election;
    }

    /** Has it been told a state yet? */
    boolean isBegun() {
        return begun;
    }

    /** Tells its watcher a state, or a gap where it cannot be understood. */
    void tellState(Optional<ObservedRecord> state) {
        begun = true;
        tell(state.isPresent() ? one -> one.changed(state.get()) : Watcher::gap);
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

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            onClose.accept(this);
        }
    }
}
