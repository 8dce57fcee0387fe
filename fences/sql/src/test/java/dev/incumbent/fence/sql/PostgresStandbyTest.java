package dev.incumbent.fence.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.servers.Command;
import dev.incumbent.servers.PgBouncer;
import dev.incumbent.servers.PostgresServer;
import dev.incumbent.servers.Waiting;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Servers of PostgreSQL that are not as usual: a standby, and one that prepares transactions. */
@Tag("field")
@Tag("trial")
class PostgresStandbyTest {
    private static final Duration BOUND = Duration.ofSeconds(5);

    @Test
    void aStandbyTakesNoRaiseTellsNoMarkAndSaysWhy() throws Exception {
        try (PostgresServer server = PostgresServer.start()) {
            PostgresDatabase database = PostgresDatabase.create(server);
            Leader.raise(database, 7);
            server.kill();
            Path signal = Files.createFile(server.folder().resolve("data").resolve("standby.signal"));
            server.startAgain();

            try (Sink sink = new SqlSinkProvider().open(database.url(), BOUND)) {
                assertThatThrownBy(() -> sink.raise(Leader.BILLING, mark(8))
                                .toCompletableFuture()
                                .join())
                        .hasMessageContaining("the server is read-only, as a standby is");
                assertThatThrownBy(() -> sink.marks().toCompletableFuture().join())
                        .hasMessageContaining("the server is read-only, as a standby is");
            }
            assertThat(signal).exists();
        }
    }

    /** The pooler keeps its clients' connections when its server becomes a standby, and tells them nothing. */
    @Test
    void aSinkBehindAPoolerIsRefusedTheMarksOfAStandbyOverAConnectionThatItHad() throws Exception {
        try (PostgresServer server = PostgresServer.start();
                PgBouncer pooler = PgBouncer.before(server)) {
            PostgresDatabase database = PostgresDatabase.create(server);
            Leader.raise(database, 7);
            try (Sink sink = new SqlSinkProvider().open(database.urlAt(pooler.port()), BOUND)) {
                assertThat(sink.marks().toCompletableFuture().join().marks()).containsOnlyKeys(Leader.BILLING);
                server.kill();
                Path signal = Files.createFile(server.folder().resolve("data").resolve("standby.signal"));
                server.startAgain();

                assertThatThrownBy(() -> sink.marks().toCompletableFuture().join())
                        .hasMessageContaining("the server is read-only, as a standby is");
                assertThatThrownBy(() -> sink.marks(Set.of(Leader.BILLING))
                                .toCompletableFuture()
                                .join())
                        .hasMessageContaining("the server is read-only, as a standby is");
                assertThatThrownBy(() -> sink.raise(Leader.BILLING, mark(8))
                                .toCompletableFuture()
                                .join())
                        .hasMessageContaining("the server is read-only, as a standby is");

                assertThat(server.psql("select pg_promote()")).isEqualTo("t");
                assertThat(signal).doesNotExist();
                assertThat(sink.raise(Leader.BILLING, mark(8))
                                .toCompletableFuture()
                                .join())
                        .isInstanceOf(Raise.Raised.class);
            }
        }
    }

    /** PostgreSQL acknowledges a commit whose wait for the synchronous standby is cancelled, with a warning. */
    @Test
    @Tag("realtime")
    void aRaiseThatTheSynchronousStandbyMayNotHaveFailsUntilItHasIt() throws Exception {
        try (PostgresServer primary = PostgresServer.start()) {
            PostgresDatabase database = PostgresDatabase.create(primary);
            Leader.raise(database, 7);
            try (PostgresServer standby = primary.startStandby();
                    Sink sink = new SqlSinkProvider().open(database.url(), BOUND)) {
                primary.waitForAStandby();
                standby.freeze();

                CompletionStage<Raise> raise = sink.raise(Leader.BILLING, mark(8));
                Waiting.until("its wait", () -> primary.cancelsAWaitForTheStandby("incumbent.raise"));

                assertThatThrownBy(() -> raise.toCompletableFuture().join())
                        .hasMessageContaining("its synchronous standby may not have it");
                assertThatThrownBy(() -> sink.raise(Leader.BILLING, mark(8))
                                .toCompletableFuture()
                                .join())
                        .hasMessageContaining("gave up after 5000 ms");
                standby.thaw();
                assertThat(sink.raise(Leader.BILLING, mark(8))
                                .toCompletableFuture()
                                .join())
                        .isInstanceOf(Raise.Raised.class);
            }
        }
    }

    /** It keeps its locks, even over a restart. */
    @Test
    void aPreparedTransactionHoldsUpARaiseUntilItIsDecided() throws Exception {
        try (PostgresServer server = PostgresServer.start(List.of("max_prepared_transactions=5"), Map.of())) {
            PostgresDatabase database = PostgresDatabase.create(server);
            Leader.raise(database, 7);
            try (Connection leader = Leader.ofTerm7(database.connect())) {
                Leader.insert(leader, "prepared");
                Installation.execute(leader, "PREPARE TRANSACTION 'x'");
            }
            assertHeldUp(database);
            server.kill();
            server.startAgain();
            assertHeldUp(database);

            database.run("COMMIT PREPARED 'x'");
            Leader.raise(database, 8);

            assertThat(database.lines()).containsExactly("prepared");
        }
    }

    /** There PostgreSQL has no limit for sending to a client that stands still, and says 0. */
    @Test
    void overAUnixSocketATransactionIsAdmittedWithoutALimitForSending() {
        try (PostgresServer server = PostgresServer.start(List.of("unix_socket_directories=."), Map.of())) {
            PostgresDatabase database = PostgresDatabase.create(server);
            Leader.raise(database, 7);
            for (String admission : List.of(
                    "SELECT incumbent.admit('billing', 7)",
                    PostgresFence.admission(Leader.BILLING, new FencingToken(7)))) {
                assertThat(overSocket(database, "BEGIN", admission, "SHOW tcp_user_timeout"))
                        .endsWith("\n0\n");
            }
        }
    }

    private static String overSocket(PostgresDatabase database, String... statements) {
        PostgresServer server = database.server();
        List<String> line = new ArrayList<>(List.of("psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1"));
        line.addAll(List.of("-h", server.folder().resolve("data").toString(), "-p", Integer.toString(server.port())));
        line.addAll(List.of("-U", PostgresServer.USER, "-d", database.name()));
        for (String statement : statements) {
            line.addAll(List.of("-c", statement));
        }
        return Command.run(line, Map.of("PGPASSWORD", PostgresServer.PASSWORD));
    }

    private static void assertHeldUp(PostgresDatabase database) {
        try (Sink sink = new SqlSinkProvider().open(database.url(), BOUND)) {
            assertThatThrownBy(() -> sink.raise(Leader.BILLING, mark(8))
                            .toCompletableFuture()
                            .join())
                    .hasMessageContaining("gave up after 5000 ms")
                    .hasMessageContaining("the prepared transaction x, until it is committed or rolled back");
        }
    }

    private static Mark mark(long token) {
        return new Mark(new FencingToken(token), MarkOwner.ofOperator("me"));
    }
}
