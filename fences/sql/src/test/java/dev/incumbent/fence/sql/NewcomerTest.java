package dev.incumbent.fence.sql;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.h2.engine.Constants;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whoever asks for an admission while a raise waits, by nothing but the statement of the documentation: the server says that both wait, in this order. What
 * decides is the mark when the wait is over, and not the one that was there when it began.
 */
@Tag("field")
class NewcomerTest {
    @Nested
    class OnPostgres extends Sentences {
        OnPostgres() {
            super(PostgresDatabase.create(), "SELECT incumbent.admit('billing', 7)");
        }

        @ParameterizedTest
        @ValueSource(
                ints = {
                    Connection.TRANSACTION_READ_UNCOMMITTED,
                    Connection.TRANSACTION_READ_COMMITTED,
                    Connection.TRANSACTION_REPEATABLE_READ,
                    Connection.TRANSACTION_SERIALIZABLE
                })
        void behindARaiseAnOlderTokenIsStale(int isolation) throws Exception {
            assertStaleBehindARaise(isolation, "IF001", "40001");
        }
    }

    @Nested
    class OnMariaDb extends Sentences {
        OnMariaDb() {
            super(MariaDbDatabase.createWithSnapshotIsolation("OFF"), "CALL incumbent_admit('billing', 7)");
        }

        @ParameterizedTest
        @ValueSource(
                ints = {
                    Connection.TRANSACTION_READ_UNCOMMITTED,
                    Connection.TRANSACTION_READ_COMMITTED,
                    Connection.TRANSACTION_REPEATABLE_READ,
                    Connection.TRANSACTION_SERIALIZABLE
                })
        void behindARaiseAnOlderTokenIsStale(int isolation) throws Exception {
            assertStaleBehindARaise(isolation, "IF001", "40001");
        }

        @ParameterizedTest
        @ValueSource(ints = {Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE})
        void behindItsOwnRaiseANewLeaderReadsWhatItsPredecessorWrote(int isolation) throws Exception {
            assertReadsWhatWasWrittenBefore(isolation, "admitted");
        }
    }

    @Nested
    class OnMariaDbWithSnapshotIsolation extends Sentences {
        OnMariaDbWithSnapshotIsolation() {
            super(MariaDbDatabase.createWithSnapshotIsolation("ON"), "CALL incumbent_admit('billing', 7)");
        }

        @ParameterizedTest
        @ValueSource(
                ints = {
                    Connection.TRANSACTION_READ_UNCOMMITTED,
                    Connection.TRANSACTION_READ_COMMITTED,
                    Connection.TRANSACTION_REPEATABLE_READ
                })
        void behindARaiseAnOlderTokenIsStale(int isolation) throws Exception {
            assertStaleBehindARaise(isolation, "IF001");
        }

        @Test
        void behindItsOwnRaiseANewLeaderReadsWhatItsPredecessorWrote() throws Exception {
            assertReadsWhatWasWrittenBefore(Connection.TRANSACTION_REPEATABLE_READ, "admitted");
        }

        /** There a lock itself opens the snapshot, before it waits. */
        @Test
        void behindARaiseEverybodyBeginsAgainAtSerializable() throws Exception {
            assertStaleBehindARaise(Connection.TRANSACTION_SERIALIZABLE, "40001");
            database.run("DELETE FROM incumbent_fence");
            Leader.raise(database, 7);
            assertReadsWhatWasWrittenBefore(Connection.TRANSACTION_SERIALIZABLE, "40001");
        }
    }

    @Nested
    class OnMySql extends Sentences {
        OnMySql() {
            super(MySqlDatabase.create(), "CALL incumbent_admit('billing', 7)");
        }

        @ParameterizedTest
        @ValueSource(ints = {Connection.TRANSACTION_READ_COMMITTED, Connection.TRANSACTION_REPEATABLE_READ})
        void behindARaiseAnOlderTokenIsStale(int isolation) throws Exception {
            assertStaleBehindARaise(isolation, "IF001", "40001");
        }

        @ParameterizedTest
        @ValueSource(ints = {Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE})
        void behindItsOwnRaiseANewLeaderReadsWhatItsPredecessorWrote(int isolation) throws Exception {
            assertReadsWhatWasWrittenBefore(isolation, "admitted");
        }
    }

    /** Here the newcomer waits at the turnstile, of which the database knows nothing: the raise alone is seen. */
    @Nested
    class OnH2 extends Sentences {
        OnH2() {
            super(H2Database.create(), "CALL incumbent_admit('billing', 7)");
        }

        @Override
        int seen(int waiting) {
            return 1;
        }

        @ParameterizedTest
        @ValueSource(
                ints = {
                    Connection.TRANSACTION_READ_UNCOMMITTED,
                    Connection.TRANSACTION_READ_COMMITTED,
                    Connection.TRANSACTION_REPEATABLE_READ,
                    Constants.TRANSACTION_SNAPSHOT,
                    Connection.TRANSACTION_SERIALIZABLE
                })
        void behindARaiseAnOlderTokenIsStale(int isolation) throws Exception {
            assertStaleBehindARaise(isolation, "IF001", "40001");
        }
    }

    /** The same of each. */
    abstract static class Sentences {
        final Database database;
        private final String admission;

        Sentences(Database database, String admission) {
            this.database = database;
            this.admission = admission;
        }

        /** How many of those who wait are seen. */
        int seen(int waiting) {
            return waiting;
        }

        @BeforeEach
        void raiseTo7() {
            Leader.raise(database, 7);
        }

        @AfterEach
        void close() {
            database.close();
        }

        final void assertStaleBehindARaise(int isolation, String... answers) throws Exception {
            try (Connection first = plain(isolation);
                    Connection newcomer = plain(isolation)) {
                Installation.execute(first, admission);
                CompletableFuture<Void> raise = CompletableFuture.runAsync(() -> Leader.raise(database, 8));
                database.awaitWaiting(seen(1));
                CompletableFuture<String> answer = CompletableFuture.supplyAsync(() -> admitted(newcomer));
                database.awaitWaiting(seen(2));
                assertThatThrownBy(() -> answer.get(100, MILLISECONDS)).isInstanceOf(TimeoutException.class);
                first.commit();
                raise.get(60, SECONDS);

                assertThat(answer.get(60, SECONDS)).isIn((Object[]) answers);
                newcomer.rollback();
                assertThat(admitted(newcomer)).isEqualTo("IF001");
                newcomer.rollback();
            }
        }

        /** Its snapshot must not be older than the raise that it waits for. It begins again if that is what it is told. */
        final void assertReadsWhatWasWrittenBefore(int isolation, String told) throws Exception {
            try (Connection first = plain(isolation);
                    Connection newLeader = plain(isolation)) {
                Installation.execute(first, admission);
                Leader.insert(first, "of term 7");
                CompletableFuture<Void> raise = CompletableFuture.runAsync(() -> Leader.raise(database, 8));
                database.awaitWaiting(seen(1));
                CompletableFuture<String> answer =
                        CompletableFuture.supplyAsync(() -> answer(newLeader, admission.replace("7", "8")));
                database.awaitWaiting(seen(2));
                first.commit();
                raise.get(60, SECONDS);

                assertThat(answer.get(60, SECONDS)).isEqualTo(told);
                if (!told.equals("admitted")) {
                    newLeader.rollback();
                    assertThat(answer(newLeader, admission.replace("7", "8"))).isEqualTo("admitted");
                }
                try (Statement statement = newLeader.createStatement();
                        ResultSet lines = statement.executeQuery("SELECT line FROM ledger")) {
                    assertThat(lines.next()).isTrue();
                    assertThat(lines.getString(1)).isEqualTo("of term 7");
                }
                newLeader.commit();
            }
        }

        private Connection plain(int isolation) throws SQLException {
            Connection connection = database.connect();
            connection.setTransactionIsolation(isolation);
            connection.setAutoCommit(false);
            return connection;
        }

        private String admitted(Connection connection) {
            return answer(connection, admission);
        }

        /** The state of the refusal. */
        private static String answer(Connection connection, String admission) {
            try {
                Installation.execute(connection, admission);
                return "admitted";
            } catch (SQLException refused) {
                return refused.getSQLState();
            }
        }
    }
}
