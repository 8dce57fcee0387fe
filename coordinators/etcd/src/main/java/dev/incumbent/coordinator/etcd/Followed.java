package dev.incumbent.coordinator.etcd;

import dev.incumbent.coordinator.Watcher;
import dev.incumbent.coordinator.Watching;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** One watched election: who watches it, and what they were told. Used in turns. */
final class Followed {
    private final List<Watching> watchings = new ArrayList<>();
    private Optional<Told> told = Optional.empty();

    /** When the last question left that was answered. */
    private OptionalLong askedAtNanos = OptionalLong.empty();

    /** What was told: the state, none where it was not understood, and the store's revision by which that held. */
    private record Told(StoredRecord record, Optional<ObservedRecord> state, long asOf) {}

    void add(Watching watching) {
        watchings.add(watching);
        told.flatMap(Told::state).ifPresent(state -> watching.tell(watcher -> watcher.changed(state)));
    }

    /** Lets one go; true if nobody is left. */
    boolean remove(Watching watching) {
        watchings.remove(watching);
        return watchings.isEmpty();
    }

    /** A question of then was answered: tells what is new in it, and that what was told is current. True if something was new. */
    boolean answered(StoredRecord record, boolean leaseAlive, Sightings by) {
        boolean isNew = offer(record, leaseAlive, by.revision());
        askedAtNanos = OptionalLong.of(by.sentAtNanos());
        if (told.flatMap(Told::state).isPresent()) {
            tell(watcher -> watcher.currentAsOf(by.sentAtNanos()));
        }
        return isNew;
    }

    /** The living lease that was told to hold it. */
    Optional<LeaseId> holder() {
        return told.filter(it -> it.state().filter(ObservedRecord::leaseAlive).isPresent())
                .flatMap(it -> it.record().lease());
    }

    /** Was nothing answered that was asked since then? */
    boolean isOlderThan(long lengthNanos, long nowNanos) {
        return askedAtNanos.isEmpty() || nowNanos - askedAtNanos.getAsLong() >= lengthNanos;
    }

    /** The stream told that the record was written. */
    void written(StoredRecord record, boolean leaseAlive) {
        boolean isNews =
                told.map(it -> record.modRevision() > it.record().modRevision()).orElse(true);
        if (isNews) {
            offer(record, leaseAlive, record.modRevision());
        }
    }

    /** The stream told that a lease died. */
    void died(LeaseId lease, long revision) {
        Optional<StoredRecord> named = told.filter(it -> it.asOf() <= revision)
                .map(Told::record)
                .filter(it -> it.lease().equals(Optional.of(lease)));
        named.ifPresent(record -> offer(record, false, revision));
    }

    /** The store may have told something meanwhile that was not heard. */
    void gap() {
        tell(Watcher::gap);
    }

    /** The store is another one, or went back: what was told is no measure any more. */
    void forget() {
        tell(Watcher::gap);
        told = Optional.empty();
    }

    private boolean offer(StoredRecord record, boolean leaseAlive, long asOf) {
        Optional<Told> before = told;
        if (before.isPresent() && before.get().asOf() > asOf) {
            return false;
        }
        Told next = new Told(record, record.observed(leaseAlive), asOf);
        if (before.isPresent()
                && before.get().record().equals(record)
                && before.get().state().equals(next.state())) {
            told = Optional.of(new Told(before.get().record(), before.get().state(), asOf));
            return false;
        }
        told = Optional.of(next);
        if (next.state().isEmpty() || before.filter(it -> wentBack(it, next)).isPresent()) {
            tell(Watcher::gap);
        }
        next.state().ifPresent(state -> tell(watcher -> watcher.changed(state)));
        return true;
    }

    private static boolean wentBack(Told before, Told next) {
        long was = before.record().modRevision();
        long is = next.record().modRevision();
        boolean another = !revision(before).equals(revision(next));
        boolean revived = isDead(before) && !isDead(next);
        return is < was || (is == was && (another || revived));
    }

    private static Optional<Revision> revision(Told told) {
        return told.state().map(ObservedRecord::revision);
    }

    private static boolean isDead(Told told) {
        return told.state().filter(state -> !state.leaseAlive()).isPresent();
    }

    private void tell(Consumer<Watcher> what) {
        List.copyOf(watchings).forEach(watching -> watching.tell(what));
    }
}
