package dev.incumbent.fence.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A raise waits for admitted transactions, so the server ends one whose leader is frozen or gone: after about a lease of that leader. */
@Tag("realtime")
class IdleLimitTest {
    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final FencingToken SEVEN = new FencingToken(7);

    /** More than a lease, and less than the limit of a leader whose lease is not known. */
    private static final Duration ABOUT_A_LEASE = Duration.ofSeconds(11);

    /** What both servers do. */
    abstract static class Sentences {
        final Database database = database();

        abstract Database database();

        /** A query for the limit of the session that asks, in milliseconds. */
        abstract String limit();

        abstract String plainAdmission();

        @AfterEach
        void close() {
            database.close();
        }

        @Test
        void aFrozenLeaderHoldsUpItsSuccessorForAboutALease() throws SQLException {
            raise(7, LEASE);
            try (Connection frozen = database.connect()) {
                frozen.setAutoCommit(false);
                Installation.execute(frozen, plainAdmission());
                Installation.execute(frozen, "INSERT INTO ledger(line) VALUES ('late')");

                raise(8, LEASE);

                assertIsOver(frozen);
            }
        }

        @Test
        void aFrozenLeaderBehindAFencedConnectionDoesSo() throws SQLException {
            raise(7, LEASE);
            Connection frozen = Leader.ofTerm7(database.connect());
            Leader.insert(frozen, "late");

            raise(8, LEASE);

            assertIsOver(frozen);
            try (Connection again = Leader.ofTerm7(database.connect())) {
                Leader.assertStale(() -> Leader.insert(again, "later"));
                again.rollback();
            }
        }

        private void assertIsOver(Connection frozen) {
            assertThatThrownBy(() -> Installation.execute(frozen, "INSERT INTO ledger(line) VALUES ('later')"))
                    .isInstanceOf(SQLException.class);
            assertThatThrownBy(frozen::commit).isInstanceOf(SQLException.class);
            assertThat(database.lines()).isEmpty();
        }

        /** Told in whole seconds; at least one; and a session's own limit if that is shorter, here 2 s. */
        @ParameterizedTest
        @CsvSource({"3000, 0, 3000", "40000, 0, 40000", "300, 0, 1000", "9000, 2000, 2000", "1000, 2000, 1000"})
        void theLimitIsTheLease(long lease, long own, int limit) throws SQLException {
            raise(7, Duration.ofMillis(lease));

            assertThat(admittedLimit(own)).isEqualTo(limit);
        }

        @Test
        void aRaiseByHandLeavesTheLimitAndALeaderChangesIt() throws SQLException {
            raise(6, LEASE);
            Leader.raise(database, 7);
            assertThat(admittedLimit(0)).isEqualTo(3000);

            raise(8, LEASE);
            raise(8, Duration.ofSeconds(5));

            assertThat(database.column("SELECT " + limitColumn() + " FROM " + database.marks()))
                    .containsExactly("5");
        }

        abstract String limitColumn();

        abstract String own(long millis);

        private int admittedLimit(long own) throws SQLException {
            try (Connection connection = database.connect();
                    var statement = connection.createStatement()) {
                statement.execute(own(own));
                connection.setAutoCommit(false);
                statement.execute(plainAdmission());
                try (var row = statement.executeQuery(limit())) {
                    row.next();
                    int admitted = row.getInt(1);
                    Connection fenced = Leader.ofTerm7(connection);
                    connection.rollback();
                    try (var again = fenced.prepareStatement(limit());
                            var same = again.executeQuery()) {
                        same.next();
                        assertThat(same.getInt(1)).isEqualTo(admitted);
                    }
                    return admitted;
                }
            }
        }

        final void raise(long to, Duration lease) {
            Mark mark = new Mark(new FencingToken(to), MarkOwner.ofCandidate(new CandidateId("leader")));
            try (Sink sink = new SqlSinkProvider().open(database.url(), ABOUT_A_LEASE)) {
                assertThat(sink.raise(Leader.BILLING, mark, lease)
                                .toCompletableFuture()
                                .join())
                        .isEqualTo(new Raise.Raised(mark));
            }
        }
    }

    @Nested
    class OnPostgres extends Sentences {
        private static final String SETTING = "idle_in_transaction_session_timeout";

        @Override
        Database database() {
            return PostgresDatabase.create();
        }

        @Override
        String limit() {
            return "SELECT setting::int FROM pg_settings WHERE name = '" + SETTING + "'";
        }

        @Override
        String plainAdmission() {
            return "SELECT incumbent.admit('billing', 7::bigint)";
        }

        @Override
        String limitColumn() {
            return "idle_ms / 1000";
        }

        @Override
        String own(long millis) {
            return "SET " + SETTING + " = " + millis;
        }

        @Test
        void aLeaderThatIsGoneHoldsUpItsSuccessorForAboutALeaseThoughItsStatementRuns() throws Exception {
            assumeThat(database.column("SELECT current_setting('client_connection_check_interval', true)"))
                    .containsExactly("0");
            raise(7, LEASE);
            Connection gone = Leader.ofTerm7(database.connect());
            Leader.insert(gone, "late");
            Thread runs = new Thread(() -> {
                try {
                    Installation.execute(gone, "SELECT pg_sleep(600)");
                } catch (SQLException itIsGone) {
                    // As it is to be.
                }
            });
            runs.start();
            awaitActive();
            gone.abort(Runnable::run);

            raise(8, LEASE);

            assertThat(database.lines()).isEmpty();
            runs.join();
        }

        /** Three times per lease, at most once a second; for the admitted transaction only; and a session's own interval if that is shorter. */
        @ParameterizedTest
        @CsvSource({"9000, 0, 3000", "300, 0, 1000", "9000, 2000, 2000", "9000, 4000, 3000"})
        void aRunningStatementLooksForItsClient(long lease, long own, String interval) throws SQLException {
            assumeThat(database.column("SELECT current_setting('client_connection_check_interval', true)"))
                    .containsExactly("0");
            raise(7, Duration.ofMillis(lease));
            String query = "SELECT setting FROM pg_settings WHERE name = 'client_connection_check_interval'";
            try (Connection connection = database.connect()) {
                Installation.execute(connection, "SET client_connection_check_interval = " + own);
                for (String admission :
                        new String[] {plainAdmission(), PostgresFence.admission(Leader.BILLING, SEVEN)}) {
                    connection.setAutoCommit(false);
                    Installation.execute(connection, admission);
                    assertThat(answer(connection, query)).isEqualTo(interval);
                    connection.commit();
                    assertThat(answer(connection, query)).isEqualTo(Long.toString(own));
                    connection.commit();
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

        private void awaitActive() {
            long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
            while (database.column("SELECT 1 FROM pg_stat_activity WHERE datname = current_database()"
                            + " AND state = 'active' AND wait_event = 'PgSleep'")
                    .isEmpty()) {
                assertThat(System.nanoTime()).isLessThan(end);
            }
        }
    }

    @Nested
    class OnMariaDb extends SentencesOfSessions {
        @Override
        Database database() {
            return MariaDbDatabase.create();
        }

        @Override
        String limit() {
            return "SELECT @@idle_transaction_timeout * 1000";
        }

        @Override
        String plainAdmission() {
            return "CALL incumbent_admit('billing', 7)";
        }

        @Override
        String limitColumn() {
            return "idle_s";
        }

        @Override
        String own(long millis) {
            return "SET SESSION idle_transaction_timeout = " + millis / 1000;
        }

        @Test
        void aFenceOfTheOlderFormIsInstalledOnceMore() {
            database.run("ALTER TABLE incumbent_fence DROP COLUMN idle_s");

            database.install();
            raise(7, LEASE);

            assertThat(database.column("SELECT idle_s FROM incumbent_fence")).containsExactly("3");
        }
    }

    /** Where the server has no limit for one transaction. */
    abstract static class SentencesOfSessions extends Sentences {
        @Test
        void theLimitStaysOnTheSession() throws SQLException {
            raise(7, LEASE);
            try (Connection connection = database.connect();
                    var statement = connection.createStatement()) {
                connection.setAutoCommit(false);
                statement.execute(plainAdmission());
                connection.commit();
                connection.setAutoCommit(true);

                try (var row = statement.executeQuery(limit())) {
                    row.next();
                    assertThat(row.getInt(1)).isEqualTo(3000);
                }
            }
        }
    }

    /** A limit of sessions, not of transactions. */
    @Nested
    class OnMySql extends SentencesOfSessions {
        @Override
        Database database() {
            return MySqlDatabase.create();
        }

        @Override
        String limit() {
            return "SELECT @@session.wait_timeout * 1000";
        }

        @Override
        String plainAdmission() {
            return "CALL incumbent_admit('billing', 7)";
        }

        @Override
        String limitColumn() {
            return "idle_s";
        }

        @Override
        String own(long millis) {
            return "SET SESSION wait_timeout = " + (millis == 0 ? "default" : millis / 1000);
        }
    }
}
