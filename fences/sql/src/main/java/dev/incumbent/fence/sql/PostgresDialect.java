package dev.incumbent.fence.sql;

import dev.incumbent.fence.Fence;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** PostgreSQL: transactions side by side, the rules in functions that every client calls. */
final class PostgresDialect implements Dialect {
    private static final int OLDEST = 13;

    @Override
    public List<String> prefixes() {
        return List.of("postgresql:", "jdbc:postgresql:");
    }

    @Override
    public Sink open(String url, Duration bound) {
        return new ServerSink(server(url), bound);
    }

    @Override
    public void install(String url) {
        Installation.of(server(url)).run("installing the fence", connection -> {
            requireKnown(connection);
            Installation.execute(connection, Installation.script("postgresql.sql"));
        });
    }

    static void requireKnown(Connection connection) throws SQLException {
        int version = connection.getMetaData().getDatabaseMajorVersion();
        if (version < OLDEST) {
            throw new SQLException("PostgreSQL " + version + " is too old, " + OLDEST + " is the oldest it runs on");
        }
    }

    /** Guards a table with all its partitions, in place of a guard of the same table for another election. */
    @Override
    public void guard(String url, String table, ElectionName election) {
        PostgresServer server = server(url);
        Installation.of(server).run("guarding table " + table, connection -> {
            List<String> guarded = tables(connection, table);
            if (guarded.isEmpty()) {
                throw new SinkException(server.label() + " has no table " + table);
            }
            for (String one : guarded) {
                Installation.execute(connection, "DROP TRIGGER IF EXISTS incumbent_guards ON " + one);
                Installation.execute(
                        connection,
                        "CREATE TRIGGER incumbent_guards BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON " + one
                                + " FOR EACH STATEMENT EXECUTE FUNCTION incumbent.guard('" + election + "')");
            }
        });
    }

    /** The table and what inherits from it, quoted as SQL needs it; a statement that names a partition passes no trigger of its parent's. */
    private static List<String> tables(Connection connection, String table) throws SQLException {
        List<String> names = new ArrayList<>();
        try (PreparedStatement query = connection.prepareStatement(
                "WITH RECURSIVE family(member) AS (SELECT pg_catalog.to_regclass(?)::pg_catalog.oid UNION"
                        + " SELECT i.inhrelid FROM family f JOIN pg_catalog.pg_inherits i"
                        + " ON i.inhparent OPERATOR(pg_catalog.=) f.member)"
                        + " SELECT f.member::pg_catalog.regclass::pg_catalog.text FROM family f"
                        + " JOIN pg_catalog.pg_class c ON c.oid OPERATOR(pg_catalog.=) f.member"
                        + " WHERE c.relkind OPERATOR(pg_catalog.=) ANY (ARRAY['r', 'p']::\"char\"[])")) {
            query.setString(1, table);
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    names.add(row.getString(1));
                }
            }
        }
        return names;
    }

    @Override
    public Fence fence(Connection connection) {
        return new PostgresFence(connection);
    }

    @Override
    public Optional<String> admission(ElectionName election, FencingToken token) {
        return Optional.of(PostgresFence.admission(election, token));
    }

    @Override
    public String product() {
        return "PostgreSQL";
    }

    @Override
    public DriverClass driver() {
        return new DriverClass("org.postgresql.Driver", "org.postgresql:postgresql");
    }

    @Override
    public Lexis lexis() {
        return Lexis.POSTGRES;
    }

    private static PostgresServer server(String url) {
        return new PostgresServer(Dialect.uri(url));
    }
}
