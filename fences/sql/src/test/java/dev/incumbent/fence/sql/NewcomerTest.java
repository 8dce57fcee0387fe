package dev.incumbent.fence.sql;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.h2.engine.Constants;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whoever asks for an admission while a raise waits, by nothing but the statement of the documentation: the server says that both wait, in this order. What
 * decides is the mark when the wait is over, and not the one that was there when it began.
 */
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
            assertStaleBehindARaise(isolation);
        }
    }

    @Nested
    class OnMariaDb extends Sentences {
        OnMariaDb() {
            super(MariaDbDatabase.create(), "CALL incumbent_admit('billing', 7)");
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
            assertStaleBehindARaise(isolation);
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
            assertStaleBehindARaise(isolation);
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
            assertStaleBehindARaise(isolation);
        }
    }

    /** The same of each. */
    abstract static class Sentences {
        private final Database database;
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

        final void assertStaleBehindARaise(int isolation) throws Exception {
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

                assertThat(answer.get(60, SECONDS)).isIn("IF001", "40001");
                newcomer.rollback();
                assertThat(admitted(newcomer)).isEqualTo("IF001");
                newcomer.rollback();
            }
        }

        private Connection plain(int isolation) throws SQLException {
            Connection connection = database.connect();
            connection.setTransactionIsolation(isolation);
            connection.setAutoCommit(false);
            return connection;
        }

        /** The state of the refusal. */
        private String admitted(Connection connection) {
            try {
                Installation.execute(connection, admission);
                return "admitted";
            } catch (SQLException refused) {
                return refused.getSQLState();
            }
        }
    }
}
