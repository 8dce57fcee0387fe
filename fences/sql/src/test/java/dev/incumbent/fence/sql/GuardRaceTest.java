package dev.incumbent.fence.sql;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A guard raced by raises: whoever writes to the guarded table bears a token from an earlier transaction, and asks for no admission. */
@Tag("field")
class GuardRaceTest {
    private static final String INSERT = "INSERT INTO guarded(id, line) VALUES (2, 'written')";
    private static final String UPDATE = "UPDATE guarded SET line = 'written'";
    private static final String DELETE = "DELETE FROM guarded";

    /** An admission's token ends with its transaction: here the session says by itself that it bears one. */
    @Nested
    class OnPostgres extends SentencesOfServers {
        OnPostgres() {
            super(PostgresDatabase.create(), "SELECT set_config('incumbent.x' || md5('billing'), '7', false)");
        }

        @Test
        void truncateAndCopyAreStaleToo() throws Exception {
            for (String write :
                    List.of("TRUNCATE guarded", "TRUNCATE ledger, guarded", "COPY guarded FROM PROGRAM 'echo 2'")) {
                assertStaleAfterARaise(write);
            }
        }
    }

    @Nested
    class OnMariaDb extends SentencesOfServers {
        OnMariaDb() {
            super(MariaDbDatabase.create(), "CALL incumbent_admit('billing', 7)");
        }
    }

    @Nested
    class OnMariaDbWithSnapshotIsolation extends SentencesOfServers {
        OnMariaDbWithSnapshotIsolation() {
            super(MariaDbDatabase.createWithSnapshotIsolation("ON"), "CALL incumbent_admit('billing', 7)");
        }
    }

    @Nested
    class OnMySql extends SentencesOfServers {
        OnMySql() {
            super(MySqlDatabase.create(), "CALL incumbent_admit('billing', 7)");
        }
    }

    @Nested
    class OnH2 extends SentencesOfServers {
        OnH2() {
            super(H2Database.create(), "CALL incumbent_admit('billing', 7)");
        }
    }

    @Nested
    class OnSqlite extends Sentences {
        OnSqlite() {
            super(SqliteDatabase.create(), "CREATE TEMP TABLE incumbent_token(\"billing=7\")");
        }
    }

    /** The same where writers are not serial. */
    abstract static class SentencesOfServers extends Sentences {
        SentencesOfServers(Database database, String bearing) {
            super(database, bearing);
        }

        @Test
        void whoeverWritesBehindAWaitingRaiseIsStale() throws Exception {
            try (Connection first = bearing7();
                    Connection newcomer = bearing7()) {
                Installation.execute(first, INSERT);
                CompletableFuture<Void> raise = CompletableFuture.runAsync(() -> Leader.raise(database, 8));
                database.awaitWaiting(1);
                CompletableFuture<Void> write = CompletableFuture.runAsync(() -> execute(newcomer, UPDATE));
                assertWaiting(write);
                first.commit();
                raise.get(60, SECONDS);

                assertThatThrownBy(() -> write.get(60, SECONDS))
                        .isInstanceOf(ExecutionException.class)
                        .rootCause()
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                refused -> assertThat(codeOf(refused)).isEqualTo("IF001"));
                newcomer.rollback();
            }
            assertThat(lines()).containsExactly("first", "written");
        }

        private static void execute(Connection connection, String sql) {
            try {
                Installation.execute(connection, sql);
            } catch (SQLException failure) {
                throw new IllegalStateException(failure);
            }
        }
    }

    /** The same of each. */
    abstract static class Sentences {
        final Database database;
        private final String bearing;

        Sentences(Database database, String bearing) {
            this.database = database;
            this.bearing = bearing;
        }

        @BeforeEach
        void guard() {
            database.run(
                    "CREATE TABLE guarded(id int PRIMARY KEY, line varchar(20))",
                    "INSERT INTO guarded VALUES (1, 'first')");
            new SqlSinkProvider().guard(database.url(), "guarded", Leader.BILLING);
            Leader.raise(database, 7);
        }

        @AfterEach
        void close() {
            database.run("DROP TABLE guarded");
            database.close();
        }

        @Test
        void everyWriteOfASessionThatBearsAnOlderTokenIsStale() throws Exception {
            for (String write : List.of(INSERT, UPDATE, DELETE)) {
                assertStaleAfterARaise(write);
            }
        }

        /** In a transaction, and in autocommit; the mark goes to 8, and back for the next one. */
        final void assertStaleAfterARaise(String write) throws Exception {
            try (Connection connection = bearing7()) {
                database.run("UPDATE " + database.marks() + " SET token = 8");
                if (database instanceof H2Database) {
                    database.run("UPDATE incumbent_slot SET token = 8");
                }
                assertStale(() -> Installation.execute(connection, write));
                connection.rollback();
                connection.setAutoCommit(true);
                assertStale(() -> Installation.execute(connection, write));
            }
            database.run("UPDATE " + database.marks() + " SET token = 7");
            if (database instanceof H2Database) {
                database.run("UPDATE incumbent_slot SET token = 7");
            }
            assertThat(lines()).containsExactly("first");
        }

        @Test
        void aSnapshotOlderThanTheRaiseWritesNothing() throws Exception {
            for (String write : List.of(INSERT, UPDATE, DELETE)) {
                try (Connection connection = database.connect()) {
                    connection.setTransactionIsolation(
                            database instanceof SqliteDatabase
                                    ? Connection.TRANSACTION_SERIALIZABLE
                                    : Connection.TRANSACTION_REPEATABLE_READ);
                    bear(connection);
                    Installation.execute(connection, "SELECT count(*) FROM " + database.marks());
                    Leader.raise(database, 8);

                    assertThatThrownBy(() -> Installation.execute(connection, write))
                            .isInstanceOfSatisfying(
                                    SQLException.class,
                                    refused -> assertThat(codeOf(refused))
                                            .isIn("IF001", "40001", "1020", "SQLITE_BUSY_SNAPSHOT"));
                    connection.rollback();
                }
                database.run("DELETE FROM " + database.marks());
                if (database instanceof H2Database) {
                    database.run("DELETE FROM incumbent_slot");
                }
                Leader.raise(database, 7);
            }
            assertThat(lines()).containsExactly("first");
        }

        @Test
        void aRaiseWaitsForAGuardedWrite() throws Exception {
            try (Connection connection = bearing7()) {
                Installation.execute(connection, INSERT);

                CompletableFuture<Void> raise = CompletableFuture.runAsync(() -> Leader.raise(database, 8));

                database.awaitWaiting(1);
                assertWaiting(raise);
                connection.commit();
                raise.get(60, SECONDS);
            }
            assertThat(lines()).containsExactly("first", "written");
        }

        /** A session that came to bear token 7 in an earlier transaction. */
        final Connection bearing7() throws SQLException {
            Connection connection = database.connect();
            bear(connection);
            return connection;
        }

        private void bear(Connection connection) throws SQLException {
            connection.setAutoCommit(false);
            Installation.execute(connection, bearing);
            connection.commit();
        }

        final List<String> lines() {
            return database.column("SELECT line FROM guarded ORDER BY id");
        }

        static String codeOf(SQLException refused) {
            if (refused.getErrorCode() == MariaDbServer.SNAPSHOT_IS_OLDER) {
                return "1020";
            }
            boolean isBusy = String.valueOf(refused.getMessage()).contains("SQLITE_BUSY_SNAPSHOT");
            return isBusy ? "SQLITE_BUSY_SNAPSHOT" : PlainClientWriter.codeOf(refused);
        }

        private static void assertStale(ThrowingCallable write) {
            assertThatThrownBy(write)
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            refused -> assertThat(codeOf(refused)).isEqualTo("IF001"));
        }

        static void assertWaiting(CompletableFuture<?> what) {
            assertThatThrownBy(() -> what.get(100, MILLISECONDS)).isInstanceOf(TimeoutException.class);
        }
    }
}
