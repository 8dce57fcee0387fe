package dev.incumbent.fence.sql;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.servers.FreePorts;
import dev.incumbent.servers.MariaDbServer;
import dev.incumbent.servers.MySqlServer;
import dev.incumbent.servers.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Trouble at the server: told in one sentence that names what and where, and over when it is over. */
@Tag("realtime")
class TroubleTest {
    private static final ElectionName BILLING = new ElectionName("billing");
    private static final Duration BOUND = Duration.ofSeconds(2);
    private static final int RAISES = 20;

    @Nested
    class OfPostgres {
        private final PostgresServer server = PostgresDatabase.shared();

        @Test
        void aWrongHostIsNamed() {
            assertFails("postgresql://no-such-host.invalid/db", "no host no-such-host.invalid");
        }

        @Test
        void aPortWhereNobodyListensIsNamed() {
            int port = FreePorts.one();
            assertFails("jdbc:postgresql://127.0.0.1:" + port + "/db", "127.0.0.1:" + port);
        }

        @Test
        void wrongCredentialsAreToldWithoutThem() {
            assertFails(
                    "postgresql://postgres:wrong-secret@127.0.0.1:" + server.port() + "/postgres",
                    "refuses the user or the password");
        }

        @Test
        void aMissingDatabaseIsNamed() {
            assertFails(server.jdbcUrl().replace("/postgres?", "/absent?"), "no such database");
        }

        @Test
        void aDatabaseWithoutAFenceIsToldAsNotInstalled() {
            assertFails(server.jdbcUrl(), "not installed as a sink");
        }

        @Test
        void aUserInTheUrlInFrontOfTheHostWorks() throws Exception {
            PostgresDatabase database = PostgresDatabase.create();
            String url = "postgresql://postgres:" + PostgresServer.PASSWORD + "@127.0.0.1:" + server.port() + "/"
                    + database.name();
            try (Sink sink = new SqlSinkProvider().open(url, BOUND)) {
                assertThat(answer(sink.id()).value()).isNotEmpty();
                assertThat(sink.label()).doesNotContain(PostgresServer.PASSWORD);
            }
            database.close();
        }

        @Test
        void aFrozenAKilledAndARestartedServerAreSurvivedWithoutARestartOfOurs() throws Exception {
            try (PostgresServer own = PostgresServer.start()) {
                survives(PostgresDatabase.create(own), own::freeze, own::thaw, own::kill, own::startAgain);
            }
        }

        @Test
        void aRaiseThatGivesUpNamesItsBlocker() throws Exception {
            PostgresDatabase database = PostgresDatabase.create();
            namesTheBlocker(database, "process ", "idle in transaction");
            database.close();
        }
    }

    @Nested
    class OfMariaDb {
        private final MariaDbServer server = MariaDbDatabase.shared();

        @Test
        void aWrongHostIsNamed() {
            assertFails("mariadb://no-such-host.invalid/db", "no-such-host.invalid");
        }

        @Test
        void aPortWhereNobodyListensIsNamed() {
            int port = FreePorts.one();
            assertFails("mysql://127.0.0.1:" + port + "/db", "cannot be reached");
        }

        @Test
        void wrongCredentialsAreToldWithoutThem() {
            assertFails(
                    "mariadb://keeper:wrong-secret@127.0.0.1:" + server.port() + "/incumbent",
                    "refuses the user or the password");
        }

        @Test
        void aMissingDatabaseIsNamed() {
            assertFails(server.jdbcUrl().replace("/incumbent?", "/absent?"), "no such database");
        }

        @Test
        void aDatabaseWithoutAFenceIsToldAsNotInstalled() {
            assertFails(server.jdbcUrl(), "not installed as a sink");
        }

        @Test
        void aFrozenAKilledAndARestartedServerAreSurvivedWithoutARestartOfOurs() throws Exception {
            try (MariaDbServer own = MariaDbServer.start()) {
                survives(MariaDbDatabase.create(own), own::freeze, own::thaw, own::kill, own::startAgain);
            }
        }

        @Test
        void aRaiseThatGivesUpNamesItsBlocker() throws Exception {
            MariaDbDatabase database = MariaDbDatabase.create();
            namesTheBlocker(database, "connection ", "sleep for");
            database.close();
        }
    }

    @Nested
    class OfMySql {
        @Test
        void aDatabaseWithoutAFenceIsToldAsNotInstalled() {
            assertFails(MySqlDatabase.shared().jdbcUrl(), "not installed as a sink");
        }

        @Test
        void aRaiseThatGivesUpNamesItsBlocker() throws Exception {
            assumeTrue(MySqlServer.isInstalled(), "MySQL could not be had (scripts/install-servers)");
            try (MySqlServer own = MySqlServer.start(List.of("performance-schema=ON"))) {
                namesTheBlocker(MySqlDatabase.create(own), Duration.ofSeconds(10), "connection ", "sleep for");
            }
        }
    }

    @Nested
    class OfH2 {
        @Test
        void aMissingDatabaseIsToldAndNotCreated() {
            assertFails("jdbc:h2:file:/tmp/no-such-folder-here/x", "no such database");
        }

        @Test
        void aRaiseThatGivesUpNamesItsBlocker() throws Exception {
            H2Database database = H2Database.create();
            namesTheBlocker(database, "session ", "user ");
            database.close();
        }

        /** H2 closes a file for all of its process where a thread that writes to it is interrupted. */
        @Test
        void whoeverElseUsesTheDatabaseGoesOnAfterASinkWasClosedWhileItRaised() throws Exception {
            H2Database database = H2Database.create();
            try (Connection other = database.connect()) {
                for (long token = 1; token <= 100 * RAISES; token += RAISES) {
                    closedWhileItRaises(database, token);
                    assertThat(other.isValid(1)).isTrue();
                }
            }
            database.run("DELETE FROM ledger");
            database.close();
        }

        @Test
        void aDatabaseThatWritesLateIsRefused() throws Exception {
            H2Database database = H2Database.create();
            database.run("SET WRITE_DELAY 500");
            try (Sink sink = new SqlSinkProvider().open(database.url(), BOUND)) {
                assertThatThrownBy(() -> answer(sink.raise(BILLING, mark(1))))
                        .hasMessageContaining("writes 500 ms late");
            }
            database.run("SET WRITE_DELAY 0");
            database.close();
        }
    }

    private static void closedWhileItRaises(H2Database database, long token) throws Exception {
        try (Sink sink = new SqlSinkProvider().open(database.url(), BOUND)) {
            List<CompletionStage<Raise>> raises = LongStream.range(token, token + RAISES)
                    .mapToObj(one -> sink.raise(BILLING, mark(one)))
                    .toList();
            answer(raises.get(0));
        }
    }

    private static void survives(Database database, Runnable freeze, Runnable thaw, Runnable kill, Runnable startAgain)
            throws Exception {
        try (Sink sink = new SqlSinkProvider().open(database.url(), BOUND)) {
            assertThat(answer(sink.raise(BILLING, mark(1)))).isEqualTo(new Raise.Raised(mark(1)));

            freeze.run();
            assertThatThrownBy(() -> answer(sink.raise(BILLING, mark(2)))).isInstanceOf(SinkException.class);
            thaw.run();
            assertThat(eventually(sink)).isEqualTo(new Raise.Raised(mark(2)));

            kill.run();
            assertThatThrownBy(() -> answer(sink.marks()))
                    .isInstanceOf(SinkException.class)
                    .hasMessageContaining(sink.label());
            startAgain.run();
            assertThat(answer(sink.marks()).marks()).containsEntry(BILLING, mark(2));
            assertThat(answer(sink.raise(BILLING, mark(3)))).isEqualTo(new Raise.Raised(mark(3)));
        }
    }

    /** The session of a client that was frozen with the server may still hold its lock for a moment. */
    private static Raise eventually(Sink sink) throws Exception {
        try {
            return answer(sink.raise(BILLING, mark(2)));
        } catch (SinkException stillWaiting) {
            return answer(sink.raise(BILLING, mark(2)));
        }
    }

    private static void namesTheBlocker(Database database, String who, String how) throws Exception {
        namesTheBlocker(database, BOUND, who, how);
    }

    private static void namesTheBlocker(Database database, Duration bound, String who, String how) throws Exception {
        try (Sink sink = new SqlSinkProvider().open(database.url(), bound);
                Connection paused = database.connect()) {
            answer(sink.raise(BILLING, mark(1)));
            paused.setAutoCommit(false);
            JdbcFence.over(paused).admit(BILLING, new FencingToken(1));

            assertThatThrownBy(() -> answer(sink.raise(BILLING, mark(2))))
                    .isInstanceOf(SinkException.class)
                    .hasMessageContaining("gave up after " + bound.toMillis() + " ms; it waits for " + who)
                    .hasMessageContaining(how);
            paused.rollback();
            assertThat(answer(sink.raise(BILLING, mark(2)))).isEqualTo(new Raise.Raised(mark(2)));
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private static void assertFails(String url, String sentence) {
        try (Sink sink = new SqlSinkProvider().open(url, Duration.ofSeconds(10))) {
            assertThatThrownBy(() -> answer(sink.id()))
                    .isInstanceOf(SinkException.class)
                    .hasMessageStartingWith(sink.label())
                    .hasMessageContaining(sentence)
                    .hasMessageNotContainingAny("wrong-secret", PostgresServer.PASSWORD, MariaDbServer.PASSWORD);
        }
    }

    private static <T> T answer(CompletionStage<T> stage) throws Exception {
        try {
            return stage.toCompletableFuture().get(20, SECONDS);
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof Exception cause ? cause : failed;
        }
    }

    private static Mark mark(long token) {
        return new Mark(new FencingToken(token), MarkOwner.ofOperator("me"));
    }
}
