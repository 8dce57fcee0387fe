package dev.incumbent.coordinator.dynamodb;

import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.RecordJson;
import dev.incumbent.coordinator.UnreadableRecordException;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import java.util.Optional;
import java.util.Set;

/**
 * One election as one look found it.
 *
 * @param position grows with each change: a smaller one is of a table that went back
 * @param revision absent where nothing was ever written
 * @param record none where nothing was written, or where it cannot be understood
 * @param why it cannot
 */
record Seen(long position, Revision revision, Optional<LeaderRecord> record, String why, boolean leaseAlive) {
    static final Seen NOTHING = new Seen(0, Revision.ABSENT, Optional.empty(), "", false);

    /** A record, of whose lease nothing is known yet. */
    static Seen of(Item item) {
        Revision revision = new Revision(item.find(Item.REVISION).orElse("foreign"));
        long position = item.count(Item.POSITION);
        try {
            LeaderRecord record = RecordJson.read(item.find(Item.RECORD).orElse(""));
            return record.nonce().equals(revision.value())
                    ? new Seen(position, revision, Optional.of(record), "", false)
                    : new Seen(
                            position,
                            revision,
                            Optional.empty(),
                            "it was edited: its record bears the nonce '" + record.nonce() + "', its attribute rev '"
                                    + revision + "'",
                            false);
        } catch (UnreadableRecordException e) {
            return new Seen(position, revision, Optional.empty(), String.valueOf(e.getMessage()), false);
        }
    }

    Optional<LeaseId> lease() {
        return record.flatMap(LeaderRecord::lease);
    }

    Seen withLeases(Set<LeaseId> alive) {
        return new Seen(
                position, revision, record, why, lease().filter(alive::contains).isPresent());
    }

    /** None where it cannot be understood. */
    Optional<ObservedRecord> state() {
        return revision.equals(Revision.ABSENT)
                ? Optional.of(ObservedRecord.ABSENT)
                : record.map(it -> new ObservedRecord(it, revision, leaseAlive, Optional.empty()));
    }

    boolean isAsIn(Seen other) {
        return revision.equals(other.revision) && leaseAlive == other.leaseAlive;
    }

    Reading reading() {
        if (revision.equals(Revision.ABSENT)) {
            return new Reading.Absent();
        }
        Optional<ObservedRecord> state = state();
        return state.isPresent() ? new Reading.Found(state.get()) : new Reading.Foreign(revision, why);
    }
}
