package dev.incumbent.coordinator.kubernetes;

import dev.incumbent.coordinator.Watcher;
import dev.incumbent.coordinator.Watching;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import java.util.Optional;

/** A watch and what it was told last, so that nothing is told twice. Belongs to the turns. */
final class Heard {
    private final Watching watch;
    private Optional<Told> last = Optional.empty();
    private boolean isSilent;

    Heard(Watching watch) {
        this.watch = watch;
    }

    private record Told(Revision revision, boolean leaseAlive, boolean isReadable) {}

    Watching watch() {
        return watch;
    }

    /** The present state, if it is news; none where it cannot be understood. */
    void tell(Revision revision, Optional<ObservedRecord> state) {
        isSilent = false;
        Told now = new Told(revision, state.filter(ObservedRecord::leaseAlive).isPresent(), state.isPresent());
        if (!last.equals(Optional.of(now))) {
            last = Optional.of(now);
            watch.tellState(state);
        }
    }

    /** Nothing is known for now: told once, until something is. */
    void fallSilent() {
        if (!isSilent) {
            isSilent = true;
            watch.tell(Watcher::gap);
        }
    }

    /** The store went back, so what was told may come again. */
    void forget() {
        last = Optional.empty();
        isSilent = false;
        fallSilent();
    }
}
