package dev.incumbent.coordinator.sqlite;

import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.RecordJson;
import dev.incumbent.coordinator.UnreadableRecordException;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/**
 * One election as one query found it, its record and its leader's lease at the same instant.
 *
 * @param revision counts the swaps; behind one already seen, the store went back
 * @param record the record's text; none where the query left it out
 * @param lease the leader's lease; none where nobody leads
 */
record ElectionRow(String name, long revision, String nonce, Optional<String> record, Optional<LeaseRow> lease) {
    /** Makes a row of name, revision, nonce, record, lease and the lease's columns. */
    static ElectionRow of(ResultSet row) throws SQLException {
        boolean leads = row.getString(5) != null;
        return new ElectionRow(
                row.getString(1),
                row.getLong(2),
                row.getString(3),
                Optional.ofNullable(row.getString(4)),
                leads ? Optional.of(LeaseRow.of(row, 6)) : Optional.empty());
    }

    boolean isOverdue(Tx tx) {
        return lease.isPresent() && lease.get().isOverdue(tx);
    }

    /** Is the leader's lease not buried? What is overdue was buried before, where anything can be. */
    boolean isLeaseAlive() {
        return lease.isPresent() && !lease.get().dead();
    }

    ObservedRecord observed(Tx tx) throws UnreadableRecordException {
        return observed(tx, RecordJson.read(record.orElseThrow()));
    }

    /** What was observed, the record's text having been read. */
    ObservedRecord observed(Tx tx, LeaderRecord read) {
        return new ObservedRecord(
                read,
                new Revision(nonce),
                isLeaseAlive(),
                isLeaseAlive() ? lease.map(row -> row.remaining(tx)) : Optional.empty());
    }

    Reading reading(Tx tx) {
        try {
            return new Reading.Found(observed(tx));
        } catch (UnreadableRecordException e) {
            return new Reading.Foreign(new Revision(nonce), String.valueOf(e.getMessage()));
        }
    }
}
