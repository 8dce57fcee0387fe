package dev.incumbent.fence.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.servers.Command;
import dev.incumbent.servers.Waiting;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A leader that stands still while the server sends it a result, or waits for what it sends, is not idle to the server: it has a limit of its own, of about a lease. */
@Tag("field")
@Tag("realtime")
@Timeout(180)
class FrozenClientTest {
    private static final Duration LEASE = Duration.ofSeconds(3);

    /** Much less than without such a limit: 30 s and 60 s on MariaDB and MySQL, for ever on PostgreSQL. */
    private static final Duration ABOUT_A_LEASE = Duration.ofSeconds(11);

    /** What all servers do. */
    abstract static class Sentences {
        final Database database = database();
        final PlainClient client = client();

        abstract Database database();

        abstract PlainClient client();

        @AfterEach
        void close() {
            client.close();
            database.close();
        }

        /** Is a statement that begins so being executed? */
        abstract String asksFor(String beginning);

        final void assertIsEndedWithin(String admission, String endless) {
            raise(7, LEASE);
            stopsDuring(admission, endless);

            raise(8, LEASE);

            assertThat(database.lines()).isEmpty();
        }

        final void stopsDuring(String admission, String last) {
            client.send("BEGIN", admission, "INSERT INTO ledger(line) VALUES ('late')", last);
            String beginning = last.substring(0, 4);
            Waiting.until(beginning, () -> !database.column(asksFor(beginning)).isEmpty());
            client.stop();
        }

        final void raise(long to, Duration lease) {
            Mark mark = new Mark(new FencingToken(to), MarkOwner.ofCandidate(new CandidateId("leader")));
            try (Sink sink = new SqlSinkProvider().open(database.url(), ABOUT_A_LEASE)) {
                assertThat(sink.raise(Leader.BILLING, mark, lease)
                                .toCompletableFuture()
                                .join())
                        .isEqualTo(new Raise.Raised(mark));
            } catch (CompletionException failure) {
                throw (RuntimeException) failure.getCause();
            }
        }
    }

    @Nested
    class OnPostgres extends Sentences {
        private static final String ADMIT = "SELECT incumbent.admit('billing', 7)";

        @Override
        Database database() {
            return PostgresDatabase.create();
        }

        @Override
        PlainClient client() {
            return PlainClient.to((PostgresDatabase) database);
        }

        @Override
        String asksFor(String beginning) {
            return "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state = 'active'"
                    + " AND query LIKE '" + beginning + "%' AND pid <> pg_backend_pid()";
        }

        @ParameterizedTest
        @ValueSource(booleans = {true, false})
        void aLeaderThatStandsStillWhileItReadsHoldsUpItsSuccessorForAboutALease(boolean isPlain) {
            String admission = isPlain ? ADMIT : PostgresFence.admission(Leader.BILLING, new FencingToken(7));
            assertIsEndedWithin(
                    admission,
                    "COPY (SELECT repeat('x', 8000) FROM (SELECT generate_series(1, 100000000)) n) TO STDOUT");
        }

        /** No limit of PostgreSQL ends this one. */
        @Test
        void whatStandsStillWhileItSendsIsNamedAndMustBeEndedByHand() {
            raise(7, LEASE);
            stopsDuring(ADMIT, "COPY ledger(line) FROM STDIN");

            assertThatThrownBy(() -> raise(8, LEASE))
                    .hasMessageContaining("it waits for process ")
                    .hasMessageContaining("active for ");
            assertThat(database.column("SELECT pg_terminate_backend(pid, 10000) FROM incumbent.admitted"))
                    .containsExactly("t");
            raise(8, LEASE);

            assertThat(database.lines()).isEmpty();
        }

        /** For the admitted transaction only, and a shorter limit of the session stays. Told in milliseconds, without a unit. */
        @ParameterizedTest
        @CsvSource({"3000, 0, 3000", "300, 0, 1000", "9000, 2000, 2000", "9000, 10000, 9000"})
        void theLimitIsTheLease(long lease, String own, String limit) throws SQLException {
            raise(7, Duration.ofMillis(lease));
            try (Connection connection = database.connect()) {
                Installation.execute(connection, "SET tcp_user_timeout = " + own);
                for (String admission : List.of(ADMIT, PostgresFence.admission(Leader.BILLING, new FencingToken(7)))) {
                    connection.setAutoCommit(false);
                    Installation.execute(connection, admission);
                    assertThat(answer(connection, "SHOW tcp_user_timeout")).isEqualTo(limit);
                    connection.commit();
                    assertThat(answer(connection, "SHOW tcp_user_timeout")).isEqualTo(own);
                    connection.commit();
                }
            }
        }
    }

    private static String answer(Connection connection, String query) throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery(query)) {
            row.next();
            return row.getString(1);
        }
    }

    @Nested
    class OnMariaDb extends SentencesOfSessions {
        @Override
        Database database() {
            return MariaDbDatabase.create();
        }

        @Override
        PlainClient client() {
            return PlainClient.to((MariaDbDatabase) database);
        }
    }

    @Nested
    class OnMySql extends SentencesOfSessions {
        @Override
        Database database() {
            return MySqlDatabase.create();
        }

        @Override
        PlainClient client() {
            return PlainClient.to((MySqlDatabase) database);
        }
    }

    /** Where the limits are of sessions. */
    abstract static class SentencesOfSessions extends Sentences {
        private static final String ADMIT = "CALL incumbent_admit('billing', 7)";
        private static final String LIMITS = "SELECT concat_ws(' ', @@net_write_timeout, @@net_read_timeout)";

        @Override
        String asksFor(String beginning) {
            return "SELECT 1 FROM information_schema.processlist WHERE db = database() AND id <> connection_id()"
                    + " AND info LIKE '" + beginning + "%'";
        }

        @Test
        void aLeaderThatStandsStillWhileItReadsHoldsUpItsSuccessorForAboutALease() {
            assertIsEndedWithin(
                    ADMIT,
                    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)"
                            + " SELECT repeat('x', 8000) FROM n a, n b, n c");
        }

        /** The client waits for a file that nobody writes; it need not be frozen for that. */
        @Test
        void aLeaderThatStandsStillWhileItSendsDoesSo(@TempDir Path folder) {
            database.run("SET GLOBAL local_infile = ON");
            Path pipe = folder.resolve("pipe");
            Command.run(List.of("mkfifo", pipe.toString()), Map.of());

            assertIsEndedWithin(ADMIT, "LOAD DATA LOCAL INFILE '" + pipe + "' INTO TABLE ledger(line)");
        }

        /** In whole seconds, at least one; a shorter limit of the session stays. */
        @ParameterizedTest
        @CsvSource({"3000, 60, 3", "300, 60, 1", "9000, 2, 2"})
        void theLimitsAreTheLeaseAndALaterAdmissionSetsThemAgain(long lease, String own, String limit)
                throws SQLException {
            raise(7, Duration.ofMillis(lease));
            try (Connection connection = database.connect()) {
                connection.setAutoCommit(false);
                for (int admissions = 0; admissions < 2; admissions++) {
                    Installation.execute(
                            connection, "SET SESSION net_write_timeout = " + own + ", net_read_timeout = " + own);
                    Installation.execute(connection, ADMIT);
                    assertThat(answer(connection, LIMITS)).isEqualTo(limit + " " + limit);
                    connection.commit();
                }
            }
        }
    }
}
