package dev.incumbent.benchmarks;

import dev.incumbent.fence.Fence;
import dev.incumbent.fence.FenceException;
import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.sql.JdbcFence;
import dev.incumbent.fence.sql.SqlSinkProvider;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Comparator;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** One line appended to a SQLite file in a transaction of its own, with and without admission by the fence. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@SuppressWarnings("NullAway.Init") // JMH calls what is annotated @Setup before anything else
public class FencedWriteBenchmark {
    private static final ElectionName ELECTION = new ElectionName("benchmark");
    private static final FencingToken TOKEN = new FencingToken(7);

    /** FULL: commits wait for the disk; OFF: they are bound by the processor. */
    @Param({"FULL", "OFF"})
    public String synchronous;

    private Path folder;
    private Connection connection;
    private Fence fence;

    /** Installs, raises, and opens the writer's connection. */
    @Setup
    public void open() throws IOException, SQLException {
        folder = Files.createTempDirectory("incumbent-benchmark-");
        String url = "jdbc:sqlite:" + folder.resolve("ledger.db");
        SqlSinkProvider provider = new SqlSinkProvider();
        provider.install(url);
        try (Sink sink = provider.open(url, Duration.ofSeconds(5))) {
            Mark mark = new Mark(TOKEN, MarkOwner.ofCandidate(CandidateId.of("writer", "host", 1, "1")));
            Raise raised = sink.raise(ELECTION, mark).toCompletableFuture().join();
            if (!(raised instanceof Raise.Raised)) {
                throw new IllegalStateException("not raised: " + raised);
            }
        }
        connection = DriverManager.getConnection(url);
        execute("PRAGMA journal_mode = WAL");
        execute("PRAGMA synchronous = " + synchronous);
        execute("CREATE TABLE ledger(id INTEGER PRIMARY KEY, line TEXT NOT NULL)");
        connection.setAutoCommit(false);
        fence = JdbcFence.over(connection);
    }

    /** Insert and commit. */
    @Benchmark
    public void unfenced() throws SQLException {
        append();
    }

    /** Admit, insert and commit. */
    @Benchmark
    public void fenced() throws SQLException, FenceException {
        fence.admit(ELECTION, TOKEN);
        append();
    }

    /** Leaves nothing. */
    @TearDown
    public void close() throws SQLException, IOException {
        connection.close();
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path one : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(one);
            }
        }
    }

    private void append() throws SQLException {
        try (PreparedStatement line = connection.prepareStatement("INSERT INTO ledger(line) VALUES (?)")) {
            line.setString(1, "one line of a ledger");
            line.executeUpdate();
        }
        connection.commit();
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
