package dev.incumbent.coordinator.tck;

import dev.incumbent.coordinator.Watcher;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Remembers what it hears, and whether two calls ever overlapped. */
final class RecordedWatcher implements Watcher {
    /** One call: a record, or a gap, or a proof. */
    record Heard(Optional<ObservedRecord> record, boolean isGap, long currentAsOf) {
        boolean isProof() {
            return record.isEmpty() && !isGap;
        }
    }

    private final List<Heard> heard = new CopyOnWriteArrayList<>();
    private final AtomicInteger inside = new AtomicInteger();
    private volatile boolean overlapped;

    @Override
    public void changed(ObservedRecord record) {
        hear(new Heard(Optional.of(record), false, Long.MIN_VALUE));
    }

    @Override
    public void gap() {
        hear(new Heard(Optional.empty(), true, Long.MIN_VALUE));
    }

    @Override
    public void currentAsOf(long sentAtNanos) {
        hear(new Heard(Optional.empty(), false, sentAtNanos));
    }

    List<Heard> heard() {
        return List.copyOf(heard);
    }

    int size() {
        return heard.size();
    }

    boolean overlapped() {
        return overlapped;
    }

    List<ObservedRecord> records() {
        return heard.stream().flatMap(one -> one.record().stream()).toList();
    }

    Optional<ObservedRecord> last() {
        List<ObservedRecord> records = records();
        return records.isEmpty() ? Optional.empty() : Optional.of(records.get(records.size() - 1));
    }

    boolean lastIs(Revision revision) {
        return last().filter(record -> record.revision().equals(revision)).isPresent();
    }

    /** Was a gap heard after the first so many calls? */
    boolean heardGapAfter(int calls) {
        return heard.stream().skip(calls).anyMatch(Heard::isGap);
    }

    private void hear(Heard one) {
        if (inside.incrementAndGet() > 1) {
            overlapped = true;
        }
        heard.add(one);
        inside.decrementAndGet();
    }
}
