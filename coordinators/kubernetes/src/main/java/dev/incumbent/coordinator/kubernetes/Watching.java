package dev.incumbent.coordinator.kubernetes;

import dev.incumbent.coordinator.Watch;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import java.util.Optional;
import java.util.function.Consumer;

/** One watcher and what it was told last. Told in turns; may be closed from anywhere. */
final class Watching implements Watch {
    private final ElectionName election;
    private final Watcher watcher;
    private final Consumer<Watching> onClose;
    private Optional<Told> last = Optional.empty();
    private boolean isSilent;
    private volatile boolean closed;

    Watching(ElectionName election, Watcher watcher, Consumer<Watching> onClose) {
        this.election = election;
        this.watcher = watcher;
        this.onClose = onClose;
    }

    private record Told(Revision revision, boolean leaseAlive, boolean isReadable) {}

    ElectionName election() {
        return election;
    }

    /** The present state, if it is news; none where it cannot be understood. */
    void tell(Revision revision, Optional<ObservedRecord> state) {
        isSilent = false;
        Told now = new Told(revision, state.filter(ObservedRecord::leaseAlive).isPresent(), state.isPresent());
        if (closed || last.equals(Optional.of(now))) {
            return;
        }
        last = Optional.of(now);
        if (state.isPresent()) {
            watcher.changed(state.get());
        } else {
            watcher.gap();
        }
    }

    /** Nothing is known for now: told once, until something is. */
    void fallSilent() {
        if (!closed && !isSilent) {
            isSilent = true;
            watcher.gap();
        }
    }

    /** The store went back, so what was told may come again. */
    void forget() {
        last = Optional.empty();
        isSilent = false;
        fallSilent();
    }

    boolean isClosed() {
        return closed;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            onClose.accept(this);
        }
    }
}
