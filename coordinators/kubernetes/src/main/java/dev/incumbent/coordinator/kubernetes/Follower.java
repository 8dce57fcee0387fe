package dev.incumbent.coordinator.kubernetes;

import dev.incumbent.coordinator.Watching;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import java.util.Optional;

/** A watch and what it was told last, so that nothing is told twice. Belongs to its {@link LeaseCache}. */
final class Follower {
    private final Watching watching;
    private final long firstList;
    private Optional<Told> last = Optional.empty();
    private boolean isReady;
    private boolean isSilent;

    /** It is told no state before the list of that number, which is asked for after it came: what was known before may be older than it is. */
    Follower(Watching watching, long firstList) {
        this.watching = watching;
        this.firstList = firstList;
    }

    private record Told(Revision revision, boolean leaseAlive, boolean isReadable) {}

    Watching watching() {
        return watching;
    }

    /** The list of that number is here. */
    void hear(long list) {
        isReady |= firstList <= list;
    }

    /** Tells the present state, if it is news; none where it cannot be understood. */
    void tell(Revision revision, Optional<ObservedRecord> state, CacheStep step) {
        if (!isReady) {
            return;
        }
        isSilent = false;
        Told now = new Told(revision, state.filter(ObservedRecord::leaseAlive).isPresent(), state.isPresent());
        if (!last.equals(Optional.of(now))) {
            last = Optional.of(now);
            step.add(new CacheEffect.Tell(watching, state));
        }
    }

    /** Nothing is known for now: told once, until something is. */
    void fallSilent(CacheStep step) {
        if (!isSilent) {
            isSilent = true;
            step.add(new CacheEffect.TellGap(watching));
        }
    }

    /** What was told may come again: the store went back, or the record began anew. */
    void forget(CacheStep step) {
        last = Optional.empty();
        isSilent = false;
        fallSilent(step);
    }
}
