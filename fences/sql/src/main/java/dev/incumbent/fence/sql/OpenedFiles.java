package dev.incumbent.fence.sql;

import dev.incumbent.sql.DatabaseFiles;
import dev.incumbent.sql.FileIdentity;
import dev.incumbent.sql.HeldFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The files that one connection to SQLite has open: the database, and where it has a write-ahead log, the log and its index.
 *
 * <p>Their POSIX locks belong to the process, and are gone once anything in it opens and closes one of them. Then an SQLite before 3.51 that closes the database
 * takes itself for the last one, and deletes the log under an open transaction; the next one begins another log, and raises there. Or others write beside the
 * transaction. So the files under the names are compared with those that were opened, and a transaction during which somebody wrote must still have its lock.
 *
 * <p>Used by one thread at a time. Opens none of the files.
 */
final class OpenedFiles {
    private static final String MAIN = "main";

    private final DatabaseFiles names;
    private final String schema;
    private final FileIdentity atFirst;
    private FileIdentity opened = FileIdentity.ABSENT;
    private Optional<HeldFiles> held = Optional.empty();
    private boolean isNoted;
    private String stamp = "";

    private OpenedFiles(DatabaseFiles names, String schema, FileIdentity atFirst) {
        this.names = names;
        this.schema = schema;
        this.atFirst = atFirst;
    }

    /**
     * Those of the database that a connection has the fence in; empty where that is in memory. A connection remembers what an earlier fence has found of its first database, and not of one
     * that was attached: another may be attached under that name.
     */
    static Optional<OpenedFiles> of(Connection connection) throws SQLException {
        Optional<OpenedFiles> known = FilesFunction.remembered(connection);
        if (known.isPresent()) {
            return known;
        }
        String schema = schema(connection);
        String path = word(
                connection,
                "SELECT coalesce(file, '') FROM pragma_database_list WHERE name = '" + schema.replace("'", "''") + "'");
        return path.isEmpty() ? Optional.empty() : Optional.of(in(schema, Path.of(path)));
    }

    /** The database that a statement of the fence means, in the order in which SQLite looks. */
    private static String schema(Connection connection) throws SQLException {
        List<String> schemas = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT name FROM pragma_database_list WHERE name <> 'temp' ORDER BY seq")) {
            while (row.next()) {
                schemas.add(row.getString(1));
            }
        }
        for (String schema : schemas) {
            if (!word(connection, "SELECT 1 FROM " + quoted(schema) + ".sqlite_master WHERE name = 'incumbent_fence'")
                    .isEmpty()) {
                return schema;
            }
        }
        return MAIN;
    }

    private static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    /** Those of a connection to that database, which need not be there yet. */
    static OpenedFiles at(Path database) throws SQLException {
        return in(MAIN, database);
    }

    private static OpenedFiles in(String schema, Path database) throws SQLException {
        try {
            DatabaseFiles names = DatabaseFiles.at(database);
            return new OpenedFiles(names, schema, names.identity());
        } catch (IOException unreadable) {
            throw unreadable(database, unreadable);
        }
    }

    /** Those of a connection that had these files open before. */
    static OpenedFiles at(Path database, String held) throws SQLException {
        try {
            DatabaseFiles names = DatabaseFiles.at(database);
            HeldFiles before = HeldFiles.of(names, held);
            OpenedFiles files = new OpenedFiles(names, MAIN, before.identity());
            files.held = Optional.of(before);
            files.opened = before.identity();
            return files;
        } catch (IOException unreadable) {
            throw unreadable(database, unreadable);
        }
    }

    /** Fails unless the files under the names are those that the connection has open. Asked after it has read, since it opens its log no earlier. */
    void ensureCurrent(Connection connection) throws SQLException {
        FileIdentity all = now();
        if (opened.hasDatabase() && all.equals(opened)) {
            return; // a connection that begins a log, or ends it, makes or deletes a file
        }
        boolean isAhead = pragma(connection, "journal_mode").equals("wal");
        FileIdentity now = isAhead ? all : all.withoutLog();
        if (now.equals(opened)) {
            return;
        }
        boolean isThere = isAhead ? now.isComplete() || isWithoutIndex(connection, now) : now.hasDatabase();
        held = isThere && isBegun(now) ? heldHere(now) : Optional.empty();
        if (held.isEmpty()) {
            throw LostFilesException.replaced(names.given());
        }
        opened = now;
        if (schema.equals(MAIN)) {
            FilesFunction.remember(connection, names.given(), held.get());
        }
    }

    /** Only a connection that keeps everybody else out writes a log without an index. */
    private boolean isWithoutIndex(Connection connection, FileIdentity now) throws SQLException {
        return now.hasDatabase()
                && now.hasLog()
                && pragma(connection, "locking_mode").equals("exclusive");
    }

    /** Is this the first look, or the first since the connection began a log, or ended it? */
    private boolean isBegun(FileIdentity now) {
        return opened.hasDatabase()
                ? opened.database().equals(now.database()) && opened.hasLog() != now.hasLog()
                : atFirst.database().equals(now.database());
    }

    /** Do those that were opened still bear their names? */
    boolean areCurrent() throws SQLException {
        FileIdentity now = now();
        return opened.equals(opened.hasLog() ? now : now.withoutLog());
    }

    /** The connection has the write lock. What is noted first counts, until {@link #forgetLock()}. */
    void noteLock() throws SQLException {
        if (!isNoted) {
            isNoted = true;
            stamp = isListed() ? "" : stampNow();
        }
    }

    void forgetLock() {
        isNoted = false;
        stamp = "";
    }

    /** Fails where others may have written since {@link #noteLock()}. A large transaction writes before its commit, too, but it still has its lock. */
    void ensureLocked() throws SQLException {
        if (!areCurrent()) {
            throw LostFilesException.replaced(names.given());
        }
        if (!isLocked()) {
            throw LostFilesException.unlocked(names.given());
        }
    }

    /** Where the system did not list the lock when it was taken: has nobody written, or is it listed elsewhere? */
    private boolean isLocked() throws SQLException {
        return stamp.isEmpty()
                ? isListed()
                : stampNow().equals(stamp) || SqliteLock.isHeldHere(opened.hasLog() ? names.index() : names.given());
    }

    /** Does the system list the writer's lock on the log's index as this process's? */
    private boolean isListed() {
        return opened.hasLog()
                && held.flatMap(HeldFiles::locksOnIndex)
                        .filter(SqliteLock::isForWriting)
                        .isPresent();
    }

    /** Fails where what was just committed may be in files that are gone. */
    void ensureCommitted() throws SQLException {
        if (!areCurrent()) {
            throw LostFilesException.uncertain(names.given());
        }
    }

    private FileIdentity now() throws SQLException {
        try {
            return held.isPresent() ? held.get().now() : names.identity();
        } catch (IOException unreadable) {
            throw unreadable(names.given(), unreadable);
        }
    }

    private String stampNow() throws SQLException {
        try {
            return DatabaseFiles.stamp(opened.hasLog() ? names.log() : names.given());
        } catch (IOException unreadable) {
            throw unreadable(names.given(), unreadable);
        }
    }

    private Optional<HeldFiles> heldHere(FileIdentity identity) throws SQLException {
        try {
            return HeldFiles.of(names, identity);
        } catch (IOException unreadable) {
            throw unreadable(names.given(), unreadable);
        }
    }

    private static SQLException unreadable(Path database, IOException failure) {
        return new SQLException(database + " cannot be looked at: " + failure, failure);
    }

    private String pragma(Connection connection, String name) throws SQLException {
        return word(connection, "PRAGMA " + quoted(schema) + "." + name);
    }

    static String word(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            return row.next() ? row.getString(1) : "";
        }
    }
}
