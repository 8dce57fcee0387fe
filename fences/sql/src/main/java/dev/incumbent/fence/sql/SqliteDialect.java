package dev.incumbent.fence.sql;

import dev.incumbent.fence.Fence;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.ElectionName;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** SQLite: one file, its writers serial, its rules in triggers that every client runs. */
final class SqliteDialect implements Dialect {
    @Override
    public List<String> prefixes() {
        return List.of("sqlite:", "jdbc:sqlite:");
    }

    @Override
    public Sink open(String url, Duration bound) {
        return new SqliteSink(SqliteFile.of(url), bound);
    }

    @Override
    public void install(String url) {
        SqliteInstaller.install(SqliteFile.of(url));
    }

    @Override
    public void guard(String url, String table, ElectionName election) {
        SqliteInstaller.guard(SqliteFile.of(url), table, election);
    }

    @Override
    public Fence fence(Connection connection) {
        return new SqliteFence(connection);
    }

    @Override
    public void ensureTransaction(Connection connection) throws SQLException {
        SqliteFile.run(connection, SqliteFence.IN_A_TRANSACTION);
    }

    @Override
    public String product() {
        return "SQLite";
    }

    @Override
    public DriverClass driver() {
        return new DriverClass("org.sqlite.JDBC", "org.xerial:sqlite-jdbc");
    }

    @Override
    public Lexis lexis() {
        return Lexis.SQLITE;
    }
}
