package dev.incumbent.coordinator.sqlite;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;

/**
 * What the store has of one lease.
 *
 * @param file the database's file when it was granted
 */
record LeaseRow(boolean dead, long expiresNanos, long lengthNanos, String boot, String file) {
    /** The columns, in the order {@link #of} reads them, of the table named l. */
    static final String COLUMNS = "l.dead, l.expires_ns, l.ttl_ns, l.boot, l.file";

    /** No lease bears that id any more, so it is dead. */
    private static final LeaseRow GONE = new LeaseRow(true, 0, 0, "", "");

    /** The row of a result from a column on; dead where there is none. */
    static LeaseRow of(ResultSet row, int from) throws SQLException {
        boolean dead = row.getBoolean(from);
        return row.wasNull()
                ? GONE
                : new LeaseRow(
                        dead,
                        row.getLong(from + 1),
                        row.getLong(from + 2),
                        row.getString(from + 3),
                        row.getString(from + 4));
    }

    /** Not buried, and its time is over: whoever sees it buries it before anybody is told that it is dead. */
    boolean isOverdue(Tx tx) {
        return !dead && isPast(tx.now(), tx.boot());
    }

    /** What is left of it; nothing of one that is overdue. */
    Duration remaining(Tx tx) {
        long now = tx.now();
        return isPast(now, tx.boot()) ? Duration.ZERO : Duration.ofNanos(expiresNanos - now);
    }

    private boolean isPast(long now, Boot current) {
        return isOfAnotherBoot(now, current) || expiresNanos - now <= 0;
    }

    /** Where either boot is unknown they cannot be told apart: then an end further away than the lease is long is another boot's. */
    private boolean isOfAnotherBoot(long now, Boot current) {
        boolean canTell = current.isKnown() && !boot.isEmpty();
        return canTell ? !boot.equals(current.id()) : expiresNanos - now > lengthNanos;
    }
}
