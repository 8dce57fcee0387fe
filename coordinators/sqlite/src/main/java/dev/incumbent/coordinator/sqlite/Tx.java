package dev.incumbent.coordinator.sqlite;

import dev.incumbent.jdbc.Sql;
import dev.incumbent.time.Timeline;
import java.util.Optional;

/**
 * One transaction on a session, or one read: all that statements need to know.
 *
 * @param writing does it hold the write lock
 */
record Tx(StoreSession session, Timeline timeline, Boot boot, boolean writing) {
    /** The connection; none where the store is empty. */
    Optional<Sql> sql() {
        return session.sql();
    }

    /** Read after the lock was had, so that waiting for it takes nothing off a lease. */
    long now() {
        return timeline.nanos();
    }

    /** The database's file, as leases remember it. */
    String file() {
        return session.identity().database();
    }

    /**
     * May something be written here and now? False for ever where this session only reads.
     *
     * @throws NeedsWrite where the session could, but this transaction does not
     */
    boolean mayWrite() throws NeedsWrite {
        if (!session.canWrite()) {
            return false;
        }
        if (!writing) {
            throw new NeedsWrite();
        }
        return true;
    }
}
