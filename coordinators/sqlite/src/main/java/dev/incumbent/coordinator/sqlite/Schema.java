package dev.incumbent.coordinator.sqlite;

import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.jdbc.Sql;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;

/** The tables of a store in SQLite, and their version. */
final class Schema {
    /** What this code writes and reads; kept in {@code PRAGMA user_version}. */
    static final int VERSION = 1;

    /** "INCB", in {@code PRAGMA application_id}. */
    private static final int APPLICATION = 0x494e4342;

    private static final List<String> TABLES = List.of(
            """
            create table incumbent_lease(
              id text primary key, owner text not null, ttl_ns integer not null,
              expires_ns integer not null, boot text not null, file text not null,
              dead integer not null default 0) strict""",
            """
            create table incumbent_election(
              name text primary key, revision integer not null, nonce text not null, lease text,
              record text not null) strict""",
            """
            create table incumbent_candidate(
              position integer primary key autoincrement, election text not null, candidate text not null,
              lease text not null, body text not null, unique(election, candidate)) strict""",
            "create index incumbent_candidate_lease on incumbent_candidate(lease)",
            "pragma application_id=" + APPLICATION,
            "pragma user_version=" + VERSION);

    private Schema() {}

    /** Is it there? A later one, and a database that is somebody else's, are refused. */
    static boolean isThere(Sql sql, Path file) throws SQLException {
        long version = sql.number("pragma user_version");
        long application = sql.number("pragma application_id");
        if (application == APPLICATION && version == VERSION) {
            return true;
        }
        if (application == APPLICATION) {
            throw new CoordinatorUnusableException("the coordinator file " + file + " has schema " + version
                    + ", written by a later version; this one knows schema " + VERSION);
        }
        List<String> tables = sql.query(
                "select name from sqlite_schema where type='table' and name not like 'incumbent\\_%' escape '\\'"
                        + " and name not like 'sqlite\\_%' escape '\\' limit 1",
                row -> row.getString(1));
        if (application != 0 || version != 0 || !tables.isEmpty()) {
            throw new CoordinatorUnusableException("the file " + file + " is a SQLite database of something else ("
                    + (tables.isEmpty()
                            ? "application_id " + application + ", user_version " + version
                            : "it has a table " + tables.get(0))
                    + "); a coordinator wants a file of its own");
        }
        return false;
    }

    /** Creates it in one transaction, unless another process just has. */
    static void create(Sql sql, Path file) throws SQLException {
        sql.execute("begin immediate");
        try {
            if (!isThere(sql, file)) {
                for (String statement : TABLES) {
                    sql.execute(statement);
                }
            }
            sql.execute("commit");
        } catch (SQLException | RuntimeException e) {
            rollBack(sql);
            throw e;
        }
        // So that the database stands by itself should its log be taken away.
        sql.query("pragma wal_checkpoint(truncate)", row -> row.getLong(1));
    }

    private static void rollBack(Sql sql) {
        try {
            sql.execute("rollback");
        } catch (SQLException alreadyRolledBack) {
            // Some errors roll back by themselves.
        }
    }
}
