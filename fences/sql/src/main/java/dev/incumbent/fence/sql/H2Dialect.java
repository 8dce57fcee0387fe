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
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** H2: one engine in one JVM, the rules in Java functions that the database calls. */
final class H2Dialect implements Dialect {
    /** What it executes within the transaction under way, or what writes nothing. Not EXECUTE and RUNSCRIPT, which may be anything. */
    private static final Set<String> KEEP = Set.of(
            "select",
            "insert",
            "update",
            "delete",
            "merge",
            "replace",
            "with",
            "values",
            "table",
            "show",
            "explain",
            "help",
            "call",
            "set",
            "begin",
            "start",
            "commit",
            "rollback",
            "savepoint",
            "release");

    /** A row, an alias, or (a general error) what H2 found absent before it waited for a lock. */
    private static final Set<Integer> MADE_MEANWHILE = Set.of(23505, 90076, 50000);

    private static final int ATTEMPTS = 5;

    @Override
    public List<String> prefixes() {
        return List.of("h2:", "jdbc:h2:");
    }

    @Override
    public Sink open(String url, Duration bound) {
        return new ServerSink(server(url, false), bound);
    }

    @Override
    public void install(String url) {
        Installation.of(server(url, true)).run("installing the fence", connection -> {
            for (String statement : Installation.script("h2.sql").split(";\\R", -1)) {
                makeBesideOthers(connection, statement);
            }
        });
    }

    /** Another installation may make the same at the same time. H2 then fails, even where the statement says {@code if not exists}; asked again, it finds what the other made. */
    private static void makeBesideOthers(Connection connection, String statement) throws SQLException {
        for (int attempt = 1; ; attempt++) {
            try {
                Installation.execute(connection, statement);
                return;
            } catch (SQLException failure) {
                if (attempt == ATTEMPTS || !MADE_MEANWHILE.contains(failure.getErrorCode())) {
                    throw failure;
                }
            }
        }
    }

    /** Guards a table, in place of a guard of the same table for another election. */
    @Override
    public void guard(String url, String table, ElectionName election) {
        H2Server server = server(url, false);
        Installation.of(server).run("guarding table " + table, connection -> {
            Named named = named(connection, table)
                    .orElseThrow(() -> new SinkException(server.label() + " has no table " + table));
            try (PreparedStatement note =
                    connection.prepareStatement("MERGE INTO incumbent_guard(guarded, election) VALUES (?, ?)")) {
                note.setString(1, named.schema() + "." + named.table());
                note.setString(2, election.value());
                note.executeUpdate();
            }
            String trigger = quoted(named.schema()) + "." + quoted("incumbent_guards_" + named.table());
            Installation.execute(connection, "DROP TRIGGER IF EXISTS " + trigger);
            Installation.execute(
                    connection,
                    "CREATE TRIGGER " + trigger + " BEFORE INSERT, UPDATE, DELETE ON " + quoted(named.schema()) + "."
                            + quoted(named.table()) + " FOR EACH STATEMENT CALL '" + H2Guard.class.getName() + "'");
        });
    }

    private record Named(String schema, String table) {}

    /** As people write a name, so H2 folds it. */
    private static Optional<Named> named(Connection connection, String table) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(
                "SELECT TABLE_SCHEMA, TABLE_NAME FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_TYPE = 'BASE TABLE'"
                        + " AND TABLE_SCHEMA = CURRENT_SCHEMA AND TABLE_NAME IN (?, UPPER(?))"
                        + " ORDER BY TABLE_NAME = ? DESC")) {
            query.setString(1, table);
            query.setString(2, table);
            query.setString(3, table);
            try (ResultSet row = query.executeQuery()) {
                return row.next() ? Optional.of(new Named(row.getString(1), row.getString(2))) : Optional.empty();
            }
        }
    }

    private static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    @Override
    public Fence fence(Connection connection) {
        return new CallingFence(connection, "CALL incumbent_admit(?, ?)");
    }

    @Override
    public String product() {
        return "H2";
    }

    @Override
    public DriverClass driver() {
        return new DriverClass("org.h2.Driver", "com.h2database:h2");
    }

    @Override
    public Lexis lexis() {
        return Lexis.H2;
    }

    @Override
    public boolean mayCommitFirst(List<String> words) {
        return !KEEP.contains(SqlText.first(words));
    }

    /** Most settings commit; {@code BEGIN} turns autocommit on at the end of its transaction. */
    @Override
    public boolean mayEndBy(List<String> words) {
        return SqlText.begins(words) || SqlText.first(words).equals("set");
    }

    @Override
    public Optional<Witness> witness() {
        return Optional.of(H2TransactionId::new);
    }

    /** Its functions are Java, and may commit wherever a query calls them. */
    @Override
    public boolean isStillAdmitted(Connection connection, ElectionName election, FencingToken token)
            throws SQLException {
        return new H2Admissions(connection).inThisTransaction(election.value(), token.toString());
    }

    private static H2Server server(String url, boolean creates) {
        return new H2Server(Dialect.uri(url), creates);
    }
}
