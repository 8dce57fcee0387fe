package dev.incumbent.coordinator.redis;

import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.RecordJson;
import dev.incumbent.coordinator.UnreadableRecordException;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import java.time.Duration;
import java.util.Optional;

/**
 * One election as one look found it.
 *
 * @param position grows with each change: a smaller one is of a store that went back
 * @param nonce empty where nothing was ever written
 * @param state none where the record cannot be understood
 * @param why it cannot
 */
record Seen(long position, String nonce, Optional<ObservedRecord> state, String why) {
    /** The lease of a record, as a look found it. */
    record Lease(boolean isAlive, Optional<Duration> remaining) {
        static final Lease DEAD = new Lease(false, Optional.empty());

        static Lease alive(long leftMillis) {
            return new Lease(true, Optional.of(Duration.ofMillis(Math.max(1, leftMillis))));
        }
    }

    /** Finds out about a lease. */
    interface Leases {
        Lease of(LeaseId lease);
    }

    static Seen of(long position, String nonce, String text, Leases leases) {
        if (nonce.isEmpty()) {
            return new Seen(position, "", Optional.of(ObservedRecord.ABSENT), "");
        }
        try {
            var record = RecordJson.read(text);
            Lease lease = record.lease().map(leases::of).orElse(Lease.DEAD);
            return new Seen(
                    position,
                    nonce,
                    Optional.of(new ObservedRecord(record, new Revision(nonce), lease.isAlive(), lease.remaining())),
                    "");
        } catch (UnreadableRecordException e) {
            return new Seen(position, nonce, Optional.empty(), String.valueOf(e.getMessage()));
        }
    }

    /** Of one server's answer: record, nonce, swaps, is its lease alive, what is left of it. */
    static Seen of(Reply state) {
        var parts = state.items();
        Lease lease = parts.get(3).isYes() ? Lease.alive(parts.get(4).number()) : Lease.DEAD;
        return of(parts.get(2).number(), parts.get(1).text(), parts.get(0).text(), id -> lease);
    }

    boolean isAlive() {
        return state.filter(ObservedRecord::leaseAlive).isPresent();
    }

    Optional<LeaseId> lease() {
        return state.flatMap(one -> one.record().lease());
    }

    boolean isAsIn(Seen other) {
        return nonce.equals(other.nonce) && isAlive() == other.isAlive();
    }

    Reading reading() {
        if (nonce.isEmpty()) {
            return new Reading.Absent();
        }
        return state.isPresent() ? new Reading.Found(state.get()) : new Reading.Foreign(new Revision(nonce), why);
    }
}
