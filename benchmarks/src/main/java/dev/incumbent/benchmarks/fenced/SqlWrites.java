package dev.incumbent.benchmarks.fenced;

import dev.incumbent.fence.Fence;
import dev.incumbent.fence.sql.JdbcFence;
import dev.incumbent.fence.sql.SqlSinkProvider;
import dev.incumbent.servers.MariaDbServer;
import dev.incumbent.servers.PostgresServer;
import dev.incumbent.servers.TemporaryFolder;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Inserts into a table, each in a transaction of its own: a connection for each of eight writers, and of one on SQLite, whose writers are serial. */
final class SqlWrites {
    private static final String INSERT = "INSERT INTO ledger(line) VALUES (?)";
    private static final String ADMIT_AND_INSERT = "SELECT incumbent.admit('benchmark', 7); " + INSERT;

    private final Rounds rounds;
    private final String url;
    private final int writers;

    private SqlWrites(Rounds rounds, String url, int writers) {
        this.rounds = rounds;
        this.url = url;
        this.writers = writers;
    }

    static void postgres(Rounds rounds) throws Exception {
        List<String> slowCommits = List.of("fsync=on", "commit_delay=5000", "commit_siblings=0");
        try (PostgresServer server = PostgresServer.start(slowCommits, Map.of())) {
            SqlWrites writes = prepared(rounds, server.jdbcUrl(), "bigserial PRIMARY KEY");
            writes.byHand("PostgreSQL, commits of 5 ms, incumbent.admit in the write's round trip", 0.95);
            writes.aroundIt("PostgreSQL, commits of 5 ms, Java fence around the connection", 0.95);
            writes.byJava("PostgreSQL, commits of 5 ms, Java fence asked by itself", 0);
        }
        try (PostgresServer server = PostgresServer.start(List.of("synchronous_commit=off"), Map.of())) {
            SqlWrites writes = prepared(rounds, server.jdbcUrl(), "bigserial PRIMARY KEY");
            writes.aroundIt("PostgreSQL, bound by the processor, Java fence around the connection", 0.75);
            writes.byJava("PostgreSQL, bound by the processor, Java fence asked by itself", 0);
            writes.byHand("PostgreSQL, bound by the processor, incumbent.admit in the write's round trip", 0);
        }
    }

    static void mariaDb(Rounds rounds) throws Exception {
        try (MariaDbServer server = MariaDbServer.start(List.of("innodb-flush-log-at-trx-commit=1"), Map.of())) {
            prepared(rounds, server.jdbcUrl(), "bigint AUTO_INCREMENT PRIMARY KEY")
                    .byJava("MariaDB, commits on the disk, Java fence", 0);
        }
        try (MariaDbServer server = MariaDbServer.start(List.of("innodb-flush-log-at-trx-commit=0"), Map.of())) {
            prepared(rounds, server.jdbcUrl(), "bigint AUTO_INCREMENT PRIMARY KEY")
                    .byJava("MariaDB, bound by the processor, Java fence", 0);
        }
    }

    static void h2(Rounds rounds) throws Exception {
        try (TemporaryFolder folder = TemporaryFolder.create("fenced-writes")) {
            String url = "jdbc:h2:file:" + folder.resolve("h2");
            try (Connection open = DriverManager.getConnection(url)) {
                prepared(rounds, open.getMetaData().getURL(), "bigint AUTO_INCREMENT PRIMARY KEY")
                        .byJava("H2, commits on the disk, Java fence", 0);
            }
        }
    }

    static void sqlite(Rounds rounds) throws Exception {
        try (TemporaryFolder folder = TemporaryFolder.create("fenced-writes")) {
            String url = "jdbc:sqlite:" + folder.resolve("ledger.db");
            prepared(rounds, url, "INTEGER PRIMARY KEY");
            execute(url, "PRAGMA journal_mode = WAL");
            String patient = url + "?busy_timeout=60000&transaction_mode=IMMEDIATE";
            new SqlWrites(rounds, patient, 1).byJava("SQLite, one writer, commits on the disk, Java fence", 0);
            new SqlWrites(rounds, patient + "&synchronous=OFF", 1)
                    .byJava("SQLite, one writer, bound by the processor, Java fence", 0);
        }
    }

    private static SqlWrites prepared(Rounds rounds, String url, String id) throws SQLException {
        Raised.at(new SqlSinkProvider(), url);
        execute(url, "CREATE TABLE ledger(id " + id + ", line varchar(100) NOT NULL)");
        return new SqlWrites(rounds, url, Rounds.WRITERS);
    }

    private static void execute(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** The admission is a statement of its own, by our fence. */
    private void byJava(String what, double budget) throws Exception {
        contend(what, budget, within -> writer(within, INSERT, Optional.of(JdbcFence.over(within))));
    }

    /** Existing code, which says insert and commit, on a connection with our fence around it. */
    private void aroundIt(String what, double budget) throws Exception {
        contend(
                what,
                budget,
                within -> writer(JdbcFence.around(within, Raised.ELECTION, Raised.TOKEN), INSERT, Optional.empty()));
    }

    /** The admission is written before the insert, in the same text. */
    private void byHand(String what, double budget) throws Exception {
        contend(what, budget, within -> writer(within, ADMIT_AND_INSERT, Optional.empty()));
    }

    /** How the writer behind the fence writes on its connection. */
    private interface Behind {
        Writer theFence(Connection within) throws SQLException;
    }

    private void contend(String what, double budget, Behind behind) throws Exception {
        List<Connection> connections = new ArrayList<>();
        List<Writer> unfenced = new ArrayList<>();
        List<Writer> fenced = new ArrayList<>();
        try {
            for (int i = 0; i < writers; i++) {
                Connection connection = DriverManager.getConnection(url);
                connections.add(connection);
                connection.setAutoCommit(false);
                unfenced.add(writer(connection, INSERT, Optional.empty()));
                fenced.add(behind.theFence(connection));
            }
            rounds.hold(new Contest(what, budget, unfenced, fenced));
        } finally {
            for (Connection connection : connections) {
                connection.close();
            }
        }
    }

    private static Writer writer(Connection connection, String sql, Optional<Fence> fence) throws SQLException {
        return new SqlWriter(connection, connection.prepareStatement(sql), fence);
    }

    private record SqlWriter(Connection connection, PreparedStatement insert, Optional<Fence> fence) implements Writer {
        @Override
        public void write() throws Exception {
            if (fence.isPresent()) {
                fence.get().admit(Raised.ELECTION, Raised.TOKEN);
            }
            insert.setString(1, Raised.LINE);
            insert.execute();
            connection.commit();
        }
    }
}
