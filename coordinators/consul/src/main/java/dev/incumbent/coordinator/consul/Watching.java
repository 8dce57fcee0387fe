package dev.incumbent.coordinator.consul;

import dev.incumbent.coordinator.Watch;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.ObservedRecord;
import java.util.function.Consumer;

/** One watch. Its watcher is called on the one thread of answers alone. */
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

    void tellChanged(ObservedRecord record) {
        begun = true;
        tell(it -> it.changed(record));
    }

    void tellGap() {
        tell(Watcher::gap);
    }

    /** A watcher that throws silences nobody else. */
    private void tell(Consumer<Watcher> what) {
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
