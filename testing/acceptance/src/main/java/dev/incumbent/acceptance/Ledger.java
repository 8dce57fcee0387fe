package dev.incumbent.acceptance;

import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkProvider;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ServiceLoader;
import java.util.concurrent.atomic.AtomicLong;

/** A table of one election in a PostgreSQL, to which leaders add rows behind the fence, as any client would: one statement first in the transaction. Thread-safe. */
final class Ledger {
    private static final String STALE = "IF001";

    private final String url;
    private final ElectionName election;
    private final String table;
    private final String admission;
    private final AtomicLong accepted = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();

    private Ledger(String url, ElectionName election, String table, String admission) {
        this.url = url;
        this.election = election;
        this.table = table;
        this.admission = admission;
    }

    /** Installs the fence, where it is missing, and makes the table. */
    static Ledger create(String url, ElectionName election, String table) throws SQLException {
        provider(url).install(url);
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "create table " + table + " (id bigserial primary key, token bigint not null, who text not null)");
        }
        return of(url, election, table);
    }

    /** One that is there. */
    static Ledger of(String url, ElectionName election, String table) {
        return new Ledger(url, election, table, "select incumbent.admit(?, ?)");
    }

    /** The same table by another URL. */
    Ledger by(String otherUrl) {
        return new Ledger(otherUrl, election, table, admission);
    }

    /** The same table, whose writers are admitted by another statement. */
    Ledger admittedBy(String other) {
        return new Ledger(url, election, table, other);
    }

    private static SinkProvider provider(String url) {
        return ServiceLoader.load(SinkProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.opens(url))
                .findFirst()
                .orElseThrow();
    }

    /** What a candidate guards. */
    Sink sink(Duration bound) {
        return provider(url).open(url, bound);
    }

    /** One writer's connection. Used by one thread. */
    Pen pen() throws SQLException {
        return new Pen(DriverManager.getConnection(url));
    }

    /** One over a connection that is not its own. */
    Pen pen(Connection connection) throws SQLException {
        return new Pen(connection);
    }

    /** How many rows the sink acknowledged. */
    long accepted() {
        return accepted.get();
    }

    /** How many it refused as stale. */
    long refused() {
        return refused.get();
    }

    /** Writes rows, each in a transaction of its own. */
    final class Pen implements AutoCloseable {
        private final Connection connection;
        private final PreparedStatement admit;
        private final PreparedStatement insert;

        private Pen(Connection connection) throws SQLException {
            this.connection = connection;
            connection.setAutoCommit(false);
            admit = connection.prepareStatement(admission);
            insert = connection.prepareStatement("insert into " + table + " (token, who) values (?, ?)");
        }

        void write(FencingToken token, String who) throws SQLException, StaleTokenException {
            try {
                admit.setString(1, election.value());
                admit.setLong(2, token.value());
                admit.execute();
                insert.setLong(1, token.value());
                insert.setString(2, who);
                insert.execute();
                connection.commit();
                accepted.incrementAndGet();
            } catch (SQLException e) {
                connection.rollback();
                if (STALE.equals(e.getSQLState())) {
                    refused.incrementAndGet();
                    throw new StaleTokenException(election, token, "a later one, says the sink");
                }
                throw e;
            }
        }

        @Override
        public void close() throws SQLException {
            connection.close();
        }
    }

    /**
     * What the sink's own table says.
     *
     * @param rows how many there are
     * @param late how many bear a lower token than one before them
     */
    record Audit(long rows, long late) {}

    Audit audit() throws SQLException {
        return audit("");
    }

    /** Of a table of several elections, each of which bears its own name in {@code who}. */
    Audit auditOfEach() throws SQLException {
        return audit("partition by who ");
    }

    private Audit audit(String parts) throws SQLException {
        String sql = "select count(*), count(*) filter (where token < before) from (select token, max(token) over"
                + " (" + parts + "order by id rows between unbounded preceding and 1 preceding) as before from " + table
                + ") as rows";
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(sql)) {
            found.next();
            return new Audit(found.getLong(1), found.getLong(2));
        }
    }
}
