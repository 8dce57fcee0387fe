package dev.incumbent.coordinator.etcd;

import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.RecordJson;
import dev.incumbent.coordinator.UnreadableRecordException;
import dev.incumbent.etcd.KeyValue;
import dev.incumbent.etcd.Txn;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import java.util.Optional;

/**
 * One election's record as its key holds it.
 *
 * <p>Its document begins with its nonce: so the nonce is compared in the swap's own transaction, as the beginning of the value, and no document need be
 * remembered. etcd's revision alone would not do: a restored store counts on from where it was, and gives out the same numbers again.
 *
 * @param modRevision 0 where nothing is stored
 * @param record none where nothing is stored, or what is stored is not understood: then {@code why}
 */
record StoredRecord(long modRevision, Optional<LeaderRecord> record, String why) {
    static final StoredRecord ABSENT = new StoredRecord(0, Optional.empty(), "");

    private static final String NONCE = "\"nonce\":";

    static StoredRecord of(KeyValue stored) {
        try {
            return new StoredRecord(stored.modRevision(), Optional.of(RecordJson.read(stored.value())), "");
        } catch (UnreadableRecordException e) {
            return new StoredRecord(stored.modRevision(), Optional.empty(), String.valueOf(e.getMessage()));
        }
    }

    /** The text of a record: the one of all stores, with the nonce at its beginning. */
    static String text(LeaderRecord record) {
        return RecordJson.writeNonceFirst(record);
    }

    private static int endOfString(String text, int start) {
        int at = start + 1;
        while (text.charAt(at) != '"') {
            at += text.charAt(at) == '\\' ? 2 : 1;
        }
        return at + 1;
    }

    /** Lets a transaction be only where this revision still stands. One that never was given out compares with nothing. */
    static Txn ifStillAt(Txn txn, String key, Revision expected) {
        if (expected.equals(Revision.ABSENT)) {
            return txn.ifMissing(key);
        }
        int colon = expected.value().indexOf(':');
        if (colon < 1 || !expected.value().substring(0, colon).matches("[0-9]{1,18}")) {
            return txn.ifModifiedAt(key, -1);
        }
        LeaderRecord withItsNonce = LeaderRecord.EMPTY.written(expected.value().substring(colon + 1));
        String text = text(withItsNonce);
        String beginning = text.substring(0, endOfString(text, 1 + NONCE.length()));
        return txn.ifModifiedAt(key, Long.parseLong(expected.value().substring(0, colon)))
                .ifValueAbove(key, beginning + ",")
                .ifValueBelow(key, beginning + "-");
    }

    static Revision revision(long modRevision, LeaderRecord record) {
        return new Revision(modRevision + ":" + record.nonce());
    }

    /** This record, its parts taken from another where they are equal. */
    StoredRecord sharing(StoredRecord other) {
        return record.isEmpty() || other.record.isEmpty()
                ? this
                : new StoredRecord(modRevision, record.map(it -> it.sharing(other.record.get())), why);
    }

    boolean isAbsent() {
        return modRevision == 0;
    }

    Optional<LeaseId> lease() {
        return record.flatMap(LeaderRecord::lease);
    }

    /** Told to a watcher; none where it is not understood. */
    Optional<ObservedRecord> observed(boolean leaseAlive) {
        return isAbsent()
                ? Optional.of(ObservedRecord.ABSENT)
                : record.map(it -> new ObservedRecord(it, revision(modRevision, it), leaseAlive, Optional.empty()));
    }

    Reading reading(boolean leaseAlive) {
        if (isAbsent()) {
            return new Reading.Absent();
        }
        return observed(leaseAlive)
                .<Reading>map(Reading.Found::new)
                .orElseGet(() -> new Reading.Foreign(new Revision(modRevision + ":?"), why));
    }
}
