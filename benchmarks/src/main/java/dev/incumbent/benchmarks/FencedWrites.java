package dev.incumbent.benchmarks;

import dev.incumbent.fence.Fence;
import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.jdbc.JdbcFence;
import dev.incumbent.fence.jdbc.JdbcSinkProvider;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.servers.MariaDbServer;
import dev.incumbent.servers.PostgresServer;
import dev.incumbent.servers.TemporaryFolder;
import dev.incumbent.time.SystemTimeline;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Inserts of eight writers on each SQL sink (of one on SQLite, whose writers are serial), fenced against unfenced, round by round. {@code ROUNDS SECONDS
 * postgresql|mariadb|files}, 7 and 1 and all unless said.
 */
public final class FencedWrites {
    private static final int WRITERS = 8;
    private static final ElectionName ELECTION = new ElectionName("benchmark");
    private static final FencingToken TOKEN = new FencingToken(7);
    private static final String INSERT = "INSERT INTO ledger(line) VALUES (?)";
    private static final String ADMIT_AND_INSERT = "SELECT incumbent_admit('benchmark', 7); " + INSERT;

    private final SystemTimeline timeline = new SystemTimeline();
    private final ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
    private final int rounds;
    private final long nanos;

    private FencedWrites(int rounds, long nanos) {
        this.rounds = rounds;
        this.nanos = nanos;
    }

    /** Measures and prints. */
    public static void main(String[] args) throws Exception {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 7;
        double seconds = args.length > 1 ? Double.parseDouble(args[1]) : 1;
        FencedWrites all = new FencedWrites(rounds, (long) (seconds * 1e9));
        try {
            String only = args.length > 2 ? args[2] : "";
            if ("postgresql".contains(only)) {
                all.postgres();
            }
            if ("mariadb".contains(only)) {
                all.mariaDb();
            }
            if ("files".contains(only)) {
                all.files();
            }
        } finally {
            all.threads.shutdownNow();
            all.timeline.close();
        }
    }

    private void postgres() throws Exception {
        List<String> slowCommits = List.of("fsync=on", "commit_delay=5000", "commit_siblings=0");
        try (PostgresServer server = PostgresServer.start(slowCommits, Map.of())) {
            prepare(server.jdbcUrl(), "id bigserial PRIMARY KEY");
            compare(
                    "PostgreSQL, commits of 5 ms, admission in the write's round trip",
                    0.95,
                    server.jdbcUrl(),
                    ADMIT_AND_INSERT);
            compare("PostgreSQL, commits of 5 ms, Java fence", 0, server.jdbcUrl(), "");
        }
        try (PostgresServer server = PostgresServer.start(List.of("synchronous_commit=off"), Map.of())) {
            prepare(server.jdbcUrl(), "id bigserial PRIMARY KEY");
            compare("PostgreSQL, bound by the processor, Java fence", 0.75, server.jdbcUrl(), "");
            compare(
                    "PostgreSQL, bound by the processor, admission in the write's round trip",
                    0,
                    server.jdbcUrl(),
                    ADMIT_AND_INSERT);
        }
    }

    private void mariaDb() throws Exception {
        try (MariaDbServer server = MariaDbServer.start(List.of("innodb-flush-log-at-trx-commit=1"), Map.of())) {
            prepare(server.jdbcUrl(), "id bigint AUTO_INCREMENT PRIMARY KEY");
            compare("MariaDB, commits on the disk, Java fence", 0, server.jdbcUrl(), "");
        }
        try (MariaDbServer server = MariaDbServer.start(List.of("innodb-flush-log-at-trx-commit=0"), Map.of())) {
            prepare(server.jdbcUrl(), "id bigint AUTO_INCREMENT PRIMARY KEY");
            compare("MariaDB, bound by the processor, Java fence", 0, server.jdbcUrl(), "");
        }
    }

    private void files() throws Exception {
        try (TemporaryFolder folder = TemporaryFolder.create("fenced-writes")) {
            String h2 = "jdbc:h2:file:" + folder.resolve("h2");
            try (Connection open = DriverManager.getConnection(h2)) {
                prepare(h2, "id bigint AUTO_INCREMENT PRIMARY KEY");
                compare(
                        "H2, commits on the disk, Java fence",
                        0,
                        open.getMetaData().getURL(),
                        "");
            }
            String sqlite = "jdbc:sqlite:" + folder.resolve("ledger.db");
            prepare(sqlite, "id INTEGER PRIMARY KEY");
            execute(sqlite, "PRAGMA journal_mode = WAL");
            compare(
                    "SQLite, commits on the disk, Java fence",
                    0,
                    sqlite + "?busy_timeout=60000&transaction_mode=IMMEDIATE",
                    "");
            compare(
                    "SQLite, bound by the processor, Java fence",
                    0,
                    sqlite + "?busy_timeout=60000&transaction_mode=IMMEDIATE&synchronous=OFF",
                    "");
        }
    }

    private static void prepare(String url, String id) throws SQLException {
        JdbcSinkProvider provider = new JdbcSinkProvider();
        provider.install(url);
        execute(url, "CREATE TABLE ledger(" + id + ", line varchar(100) NOT NULL)");
        try (Sink sink = provider.open(url, Duration.ofSeconds(10))) {
            Raise raised = sink.raise(ELECTION, new Mark(TOKEN, MarkOwner.ofOperator("benchmark")))
                    .toCompletableFuture()
                    .join();
            if (!(raised instanceof Raise.Raised)) {
                throw new IllegalStateException("not raised: " + raised);
            }
        }
    }

    private static void execute(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Other work on the machine slows a round down, both halves of it: so the ratio is taken in each, which half is first by turns. */
    private void compare(String what, double budget, String url, String fencedSql) throws Exception {
        List<Connection> connections = new ArrayList<>();
        for (int i = 0; i < (url.startsWith("jdbc:sqlite:") ? 1 : WRITERS); i++) {
            Connection connection = DriverManager.getConnection(url);
            connection.setAutoCommit(false);
            connections.add(connection);
        }
        boolean byJava = fencedSql.isEmpty();
        double[] ratios = new double[rounds];
        double[] unfenced = new double[rounds];
        perSecond(connections, INSERT, false);
        perSecond(connections, byJava ? INSERT : fencedSql, byJava);
        for (int round = 0; round < rounds; round++) {
            double before = round % 2 == 0 ? perSecond(connections, INSERT, false) : 0;
            double fenced = perSecond(connections, byJava ? INSERT : fencedSql, byJava);
            unfenced[round] = round % 2 == 0 ? before : perSecond(connections, INSERT, false);
            ratios[round] = fenced / unfenced[round];
        }
        for (Connection connection : connections) {
            connection.close();
        }
        Arrays.sort(ratios);
        Arrays.sort(unfenced);
        System.out.println(String.format(
                Locale.ROOT,
                "%s: fenced / unfenced %.2f, median of %d rounds, %.2f to %.2f; unfenced %.0f a second%s",
                what,
                ratios[rounds / 2],
                rounds,
                ratios[0],
                ratios[rounds - 1],
                unfenced[rounds / 2],
                budget == 0 ? "" : " (budget " + budget + ")"));
    }

    private double perSecond(List<Connection> connections, String sql, boolean byJava) throws Exception {
        long began = timeline.nanos();
        List<Callable<Long>> writers = new ArrayList<>();
        for (Connection connection : connections) {
            writers.add(() -> written(connection, sql, byJava, began + nanos));
        }
        long written = 0;
        for (Future<Long> writer : threads.invokeAll(writers)) {
            written += writer.get();
        }
        return written * 1e9 / (timeline.nanos() - began);
    }

    private long written(Connection connection, String sql, boolean byJava, long until) throws Exception {
        Fence fence = JdbcFence.over(connection);
        long written = 0;
        try (PreparedStatement insert = connection.prepareStatement(sql)) {
            while (timeline.nanos() < until) {
                if (byJava) {
                    fence.admit(ELECTION, TOKEN);
                }
                insert.setString(1, "one line of a ledger");
                insert.execute();
                connection.commit();
                written++;
            }
        }
        return written;
    }
}
