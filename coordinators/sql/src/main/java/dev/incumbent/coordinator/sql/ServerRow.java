package dev.incumbent.coordinator.sql;

import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.RecordJson;
import dev.incumbent.coordinator.UnreadableRecordException;
import dev.incumbent.jdbc.Told;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * One election as one query found it, its record and its leader's lease at the same instant.
 *
 * @param record the record's text; none where the query left it out
 * @param lease the leader's; none where nobody leads
 * @param leaseAlive is the lease not buried? Never computed from its end
 * @param remaining until the lease's end by the server's clock; negative where it is over
 */
record ServerRow(
        String name,
        long revision,
        String nonce,
        Optional<String> record,
        Optional<String> lease,
        boolean leaseAlive,
        Duration remaining) {

    /** The column of {@link Dialect#standbySign} behind all others. */
    static final int SIGN = 8;

    /** The columns of a lease l that {@link #of} reads behind those of the election, and what tells a standby. */
    static String columns(Dialect dialect) {
        return "e.lease, case when l.dead then 0 when l.id is null then 0 else 1 end, l.expires_us - " + dialect.now()
                + ", " + dialect.standbySign();
    }

    static ServerRow of(ResultSet row) throws SQLException {
        return new ServerRow(
                row.getString(1),
                row.getLong(2),
                row.getString(3),
                Optional.ofNullable(row.getString(4)),
                Optional.ofNullable(row.getString(5)),
                row.getInt(6) == 1,
                Duration.of(row.getLong(7), ChronoUnit.MICROS));
    }

    /** Not buried, and its time is over: to be buried before anybody is told that it is dead. */
    boolean isOverdue() {
        return leaseAlive && (remaining.isNegative() || remaining.isZero());
    }

    private Optional<Duration> left() {
        return leaseAlive ? Optional.of(isOverdue() ? Duration.ZERO : remaining) : Optional.empty();
    }

    Told.Sighting sighting() {
        return new Told.Sighting(revision, nonce, record, leaseAlive, left());
    }

    ObservedRecord observed() throws UnreadableRecordException {
        return new ObservedRecord(RecordJson.read(record.orElseThrow()), new Revision(nonce), leaseAlive, left());
    }

    Reading reading() {
        try {
            return new Reading.Found(observed());
        } catch (UnreadableRecordException e) {
            return new Reading.Foreign(new Revision(nonce), String.valueOf(e.getMessage()));
        }
    }
}
