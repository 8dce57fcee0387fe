package dev.incumbent.fence.sql;

import dev.incumbent.fence.Fence;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import dev.incumbent.model.ElectionName;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** MariaDB and MySQL: transactions side by side, the rules in procedures that every client calls. */
final class MariaDbDialect implements Dialect {
    @Override
    public List<String> prefixes() {
        return List.of("mariadb:", "mysql:", "jdbc:mariadb:", "jdbc:mysql:");
    }

    @Override
    public Sink open(String url, Duration bound) {
        return new ServerSink(server(url), bound);
    }

    @Override
    public void install(String url) {
        Installation.of(server(url)).run("installing the fence", connection -> {
            requireKnown(connection);
            new MariaDbInstaller(connection).install();
        });
    }

    static void requireKnown(Connection connection) throws SQLException {
        String version = connection.getMetaData().getDatabaseProductVersion();
        boolean isMySql = MariaDbServer.isMySql(connection);
        if (version.matches(isMySql ? "([0-7]|8\\.[0-3])\\..*" : "(10\\.[0-5]|[1-9])\\..*")) {
            throw new SQLException((isMySql ? "MySQL " : "MariaDB ") + version
                    + " is not supported: the fence needs MariaDB 10.6 or MySQL 8.4, or later");
        }
    }

    /** Guards a table, in place of a guard of the same table for another election. */
    @Override
    public void guard(String url, String table, ElectionName election) {
        MariaDbServer server = server(url);
        Installation.of(server).run("guarding table " + table, connection -> {
            if (!new MariaDbInstaller(connection).guard(table, election)) {
                throw new SinkException(server.label() + " has no table " + table);
            }
        });
    }

    @Override
    public Fence fence(Connection connection) {
        return new CallingFence(connection, "CALL incumbent_admit(?, ?)");
    }

    @Override
    public String product() {
        return "MariaDB";
    }

    @Override
    public DriverClass driver() {
        return new DriverClass("org.mariadb.jdbc.Driver", "org.mariadb.jdbc:mariadb-java-client");
    }

    @Override
    public Lexis lexis() {
        return Lexis.MARIADB;
    }

    @Override
    public boolean mayCommitFirst(List<String> words) {
        return !MariaDbWords.keepTheTransaction(words);
    }

    @Override
    public boolean mayEndBy(List<String> words) {
        return SqlText.begins(words);
    }

    @Override
    public Optional<Witness> witness() {
        return Optional.of(MariaDbSavepoint::new);
    }

    private static MariaDbServer server(String url) {
        return new MariaDbServer(Dialect.uri(url));
    }
}
