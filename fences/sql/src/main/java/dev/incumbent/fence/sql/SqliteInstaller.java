package dev.incumbent.fence.sql;

import dev.incumbent.fence.SinkException;
import dev.incumbent.model.ElectionName;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;

/** Puts the sink's side into a SQLite file, and guards on tables of the user's. Each in one transaction: all or nothing. */
final class SqliteInstaller {
    private static final String SCHEMA = schema();

    private SqliteInstaller() {}

    static void install(SqliteFile file) {
        try (Connection connection = file.create()) {
            inOneTransaction(connection, () -> SqliteFile.run(connection, SCHEMA));
        } catch (SQLException failure) {
            throw file.failed("installing the fence", failure);
        }
    }

    /** Guards a table, in place of a guard of the same table for another election. */
    static void guard(SqliteFile file, String table, ElectionName election) {
        try (Connection connection = file.open()) {
            inOneTransaction(connection, () -> guard(connection, file, table, election));
        } catch (SQLException failure) {
            throw file.failed("guarding table " + table, failure);
        }
    }

    private static void guard(Connection connection, SqliteFile file, String table, ElectionName election)
            throws SQLException {
        if (table.toLowerCase(java.util.Locale.ROOT).startsWith("incumbent_")) {
            throw new IllegalArgumentException("table " + table + " is the fence's own");
        }
        if (!isTable(connection, table)) {
            throw new SinkException(file.label() + " has no table " + table);
        }
        try (PreparedStatement note = connection.prepareStatement(
                "INSERT OR REPLACE INTO incumbent_guard(guarded, election) VALUES (?, ?)")) {
            note.setString(1, table);
            note.setString(2, election.value());
            note.executeUpdate();
        }
        for (String event : List.of("INSERT", "UPDATE", "DELETE")) {
            String trigger = quoted("incumbent_guards_" + table + "_" + event.toLowerCase(java.util.Locale.ROOT));
            SqliteFile.run(connection, "DROP TRIGGER IF EXISTS " + trigger);
            SqliteFile.run(
                    connection,
                    "CREATE TRIGGER " + trigger + " BEFORE " + event + " ON " + quoted(table) + body(election));
        }
    }

    private static boolean isTable(Connection connection, String table) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(
                "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ? COLLATE NOCASE")) {
            query.setString(1, table);
            try (ResultSet row = query.executeQuery()) {
                return row.next();
            }
        }
    }

    /** Passes if the connection bears the token that equals the mark; else names what is wrong, as an admission would. */
    private static String body(ElectionName election) {
        String borne =
                " FROM pragma_table_info('incumbent_token', 'temp') AS b, incumbent_fence AS f WHERE f.election = '"
                        + election + "' AND b.name ";
        String equal = "EXISTS (SELECT 1" + borne + "= f.election || '=' || f.token)";
        String lower = "EXISTS (SELECT 1" + borne
                + "GLOB f.election || '=[0-9]*' AND CAST(substr(b.name, length(f.election) + 2)"
                + " AS INTEGER) < f.token)";
        return " BEGIN SELECT CASE"
                + " WHEN " + equal + " THEN NULL"
                + " WHEN " + lower + " THEN RAISE(ABORT, 'IF001 stale token: a later term of " + election
                + " has raised this sink')"
                + " ELSE RAISE(ABORT, 'IF003 not admitted: this connection bears no token of " + election
                + " that is in force')"
                + " END; END";
    }

    private static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    /** What is done while the file's write lock is held. */
    private interface Work {
        void run() throws SQLException;
    }

    private static void inOneTransaction(Connection connection, Work work) throws SQLException {
        SqliteFile.run(connection, "BEGIN IMMEDIATE");
        boolean done = false;
        try {
            work.run();
            SqliteFile.run(connection, "COMMIT");
            done = true;
        } finally {
            if (!done) {
                SqliteFile.rollBack(connection);
            }
        }
    }

    private static String schema() {
        try (InputStream script = SqliteInstaller.class.getResourceAsStream("sqlite.sql")) {
            return new String(Objects.requireNonNull(script, "sqlite.sql").readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new java.io.UncheckedIOException(unreadable);
        }
    }
}
