package dev.incumbent.coordinator.sqlite;

import dev.incumbent.jdbc.Sql;
import dev.incumbent.sql.DatabaseFiles;
import dev.incumbent.sql.FileIdentity;
import dev.incumbent.sql.HeldFiles;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A store as one connection has it open, and the files it has opened. What it tells counts only while those files bear the
 * store's names: a deleted or replaced file lives on under open connections. Used by one lane; may be closed by any thread, while
 * it is not in use.
 */
final class StoreSession {
    private final DatabaseFiles files;
    private final FileIdentity identity;
    private final Optional<HeldFiles> held;
    private final Optional<Sql> sql;
    private final Access access;
    private final ReentrantLock use = new ReentrantLock();
    private volatile boolean closed;

    private StoreSession(
            DatabaseFiles files, FileIdentity identity, Optional<HeldFiles> held, Optional<Sql> sql, Access access) {
        this.files = files;
        this.identity = identity;
        this.held = held;
        this.sql = sql;
        this.access = access;
    }

    /** How a session came to its store. */
    enum Access {
        /** Reads and writes. */
        FULL,
        /** Reads beside the processes that write. */
        READING,
        /** Reads a file that nobody writes; one that is not there, or has no tables yet, is read as empty. */
        QUIET
    }

    /** One that reads and writes the files that this process holds open. */
    static StoreSession open(DatabaseFiles files, HeldFiles held, Sql sql) {
        return new StoreSession(files, held.identity(), Optional.of(held), Optional.of(sql), Access.FULL);
    }

    static StoreSession open(DatabaseFiles files, FileIdentity identity, Sql sql, Access access) {
        return new StoreSession(files, identity, Optional.empty(), Optional.of(sql), access);
    }

    /** A store without tables, until its files change. */
    static StoreSession empty(DatabaseFiles files, FileIdentity content) {
        return new StoreSession(files, content, Optional.empty(), Optional.empty(), Access.QUIET);
    }

    FileIdentity identity() {
        return identity;
    }

    /** The connection; none where the store is empty. */
    Optional<Sql> sql() {
        return sql;
    }

    boolean canWrite() {
        return access == Access.FULL;
    }

    /** Do the files it has opened still bear the store's names? */
    boolean isCurrent() throws IOException {
        return identity.equals(now());
    }

    private FileIdentity now() throws IOException {
        if (access == Access.QUIET) {
            return files.content();
        }
        return held.isPresent() ? held.get().now() : files.identity();
    }

    /** Changes whenever another connection has written. */
    long version() throws SQLException {
        return sql.isPresent() ? sql.get().number("pragma data_version") : 0;
    }

    /** Keeps it from being retired until {@link #leave()}; false if it is closed. */
    boolean enter() {
        use.lock();
        if (closed) {
            use.unlock();
        }
        return !closed;
    }

    void leave() {
        use.unlock();
    }

    /** Closes it. */
    void close() {
        use.lock();
        try {
            closeNow();
        } finally {
            use.unlock();
        }
    }

    /** Closes it, its files being gone, unless it is in use: then its user will find that out. Is it closed now? */
    boolean retire(boolean salvage) {
        if (!use.tryLock()) {
            return false;
        }
        try {
            if (salvage && !closed && hasLostItsLog()) {
                sql.orElseThrow().query("pragma wal_checkpoint(passive)", row -> row.getLong(1));
            }
        } catch (SQLException | IOException e) {
            // What a deleted log held is lost then: the store went back, as a restored one does.
        } finally {
            closeNow();
            use.unlock();
        }
        return true;
    }

    boolean isOpen() {
        return !closed;
    }

    private void closeNow() {
        if (closed || sql.isEmpty()) {
            closed = true;
            return;
        }
        closed = true;
        try {
            sql.get().close();
        } catch (SQLException e) {
            // Nothing is owed to a session that ends: what it acknowledged is in the files.
        }
    }

    /** Was its log deleted, and nothing put in its place? What it held can be saved then, for nobody has begun another. */
    private boolean hasLostItsLog() throws IOException {
        FileIdentity now = files.identity();
        boolean sameDatabase = now.database().equals(identity.database());
        boolean sameLocks = now.index().isEmpty() || now.index().equals(identity.index());
        return access == Access.FULL && sameDatabase && sameLocks && !now.hasLog();
    }
}
