package dev.incumbent.fence.sql;

import static dev.incumbent.fence.sql.Leader.assertStale;
import static dev.incumbent.fence.sql.Leader.insert;
import static dev.incumbent.fence.sql.Leader.ofTerm7;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.model.FencingToken;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** A server may roll a leader's transaction back, or end it, and go on: on a fenced connection nothing is written then without another admission. */
class EndedTransactionTest {
    private static final String SET_TWO = "UPDATE pair SET v = 'leader' WHERE id = 2";

    /** What a deadlock leaves on the servers that roll the whole transaction back and begin the next one. */
    abstract static class OfTheServersThatGoOn extends Sentences {
        OfTheServersThatGoOn(Database database) {
            super(database);
        }

        @Test
        void aStatementTriedAgainAfterADeadlockIsAdmittedAgain() throws Exception {
            try (Rival rival = new Rival();
                    Connection connection = ofTerm7(database.connect())) {
                insert(connection, "rolled back by the server");
                rival.beats(connection, () -> Installation.execute(connection, SET_TWO));
                raise(8);

                assertStale(() -> insert(connection, "late"));
                assertStale(connection::commit);
                connection.rollback();
            }
            assertThat(database.lines()).isEmpty();
        }

        @Test
        void aStatementPreparedBeforeTheDeadlockIsAdmittedAgainToo() throws Exception {
            try (Rival rival = new Rival();
                    Connection connection = ofTerm7(database.connect());
                    PreparedStatement insert = connection.prepareStatement("INSERT INTO ledger(line) VALUES (?)")) {
                insert.setString(1, "rolled back by the server");
                insert.executeUpdate();
                rival.beats(connection, () -> Installation.execute(connection, SET_TWO));
                raise(8);
                insert.setString(1, "late");

                assertStale(insert::executeUpdate);
                connection.rollback();
            }
            assertThat(database.lines()).isEmpty();
        }

        @Test
        void theLeaderInForceGoesOnAfterADeadlock() throws Exception {
            try (Rival rival = new Rival();
                    Connection connection = ofTerm7(database.connect())) {
                rival.beats(connection, () -> Installation.execute(connection, SET_TWO));

                insert(connection, "in time");
                connection.commit();
            }
            assertThat(database.lines()).containsExactly("in time");
        }

        @Test
        void whatABatchWroteAfterADeadlockIsNotCommittedOnceAnotherLeads() throws Exception {
            try (Rival rival = new Rival();
                    Connection connection = ofTerm7(database.connect())) {
                rival.beats(connection, () -> batch(connection));
                raise(8);

                assertStale(connection::commit);
                assertStale(() -> connection.setAutoCommit(true));
                connection.rollback();
            }
            assertThat(database.lines()).isEmpty();
        }

        /** The server has rolled back and goes on with the next statement of the batch, in a transaction that nobody admitted. */
        private static void batch(Connection connection) throws SQLException {
            try (Statement batch = connection.createStatement()) {
                batch.addBatch(SET_TWO);
                batch.addBatch("INSERT INTO ledger(line) VALUES ('late')");
                batch.executeBatch();
            }
        }

        @Test
        void whatABatchWroteAfterADeadlockIsCommittedByTheLeaderInForce() throws Exception {
            try (Rival rival = new Rival();
                    Connection connection = ofTerm7(database.connect())) {
                rival.beats(connection, () -> batch(connection));

                connection.commit();
            }
            assertThat(database.lines()).containsExactly("late");
        }
    }

    @Nested
    class OnMariaDb extends OfInnoDb {
        OnMariaDb() {
            super(MariaDbDatabase.create());
        }

        @Override
        void makeStrong(Connection other) throws SQLException {
            Installation.execute(other, "INSERT INTO pair SELECT seq, 'heavy' FROM seq_1000_to_3000");
        }
    }

    @Nested
    class OnMySql extends OfInnoDb {
        OnMySql() {
            super(MySqlDatabase.create());
        }

        /** A character may take four bytes there, so a varchar cannot be that long. */
        @Override
        String text() {
            return "text";
        }

        @Override
        void makeStrong(Connection other) throws SQLException {
            Installation.execute(
                    other,
                    "INSERT INTO pair WITH RECURSIVE n AS (SELECT 1000 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 1900)"
                            + " SELECT i, 'heavy' FROM n");
        }
    }

    /** There the lighter transaction loses a deadlock. */
    abstract static class OfInnoDb extends OfTheServersThatGoOn {
        OfInnoDb(Database database) {
            super(database);
        }

        @Test
        void rowsThatAreFetchedIntoADeadlockEndTheAdmission() throws Exception {
            database.run("UPDATE pair SET v = repeat('x', 20000) WHERE id = 3");
            try (Rival rival = new Rival();
                    Connection connection = ofTerm7(database.connect());
                    Statement statement = connection.createStatement()) {
                statement.setFetchSize(1);
                ResultSet[] rows = new ResultSet[1];
                rival.beats(connection, () -> {
                    rows[0] =
                            statement.executeQuery("SELECT v FROM pair WHERE id IN (2, 3) ORDER BY id DESC FOR UPDATE");
                    while (rows[0].next()) {
                        assertThat(rows[0].getStatement()).isSameAs(statement);
                    }
                });
                raise(8);

                assertStale(() -> insert(connection, "late"));
                connection.rollback();
            }
            assertThat(database.lines()).isEmpty();
        }

        /** Only the statement is rolled back by default. */
        @Test
        void aLockThatWasWaitedForInVainLeavesTheLeaderAdmitted() throws Exception {
            try (Connection connection = ofTerm7(database.connect());
                    Connection other = database.connect()) {
                other.setAutoCommit(false);
                Installation.execute(other, SET_TWO);
                Installation.execute(connection, "SET innodb_lock_wait_timeout = 1");
                insert(connection, "one");

                assertThatThrownBy(() -> Installation.execute(connection, SET_TWO))
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                waited -> assertThat(waited.getErrorCode()).isEqualTo(1205));
                insert(connection, "two");
                connection.commit();
            }
            assertThat(database.lines()).containsExactly("one", "two");
        }
    }

    @Nested
    class OnH2 extends OfTheServersThatGoOn {
        OnH2() {
            super(H2Database.create());
        }

        @Test
        void anIsolationLevelSetInATransactionEndsItAndItsAdmission() throws Exception {
            try (Connection connection = ofTerm7(database.connect())) {
                insert(connection, "in time");
                connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
                raise(8);

                assertStale(() -> insert(connection, "late"));
                connection.rollback();
            }
            assertThat(database.lines()).containsExactly("in time");
        }
    }

    /** Here the server itself refuses whatever follows, until the rollback. */
    @Nested
    class OnPostgres extends Sentences {
        OnPostgres() {
            super(PostgresDatabase.create());
        }

        /** Who looks for a deadlock first, loses it. */
        @Override
        void makeStrong(Connection other) throws SQLException {
            Installation.execute(other, "SET deadlock_timeout = '1h'");
        }

        @Test
        void nothingIsWrittenBetweenADeadlockAndTheRollback() throws Exception {
            try (Rival rival = new Rival();
                    Connection connection = ofTerm7(database.connect())) {
                Installation.execute(connection, "SET deadlock_timeout = '10ms'");
                insert(connection, "rolled back by the server");
                rival.beats(connection, () -> Installation.execute(connection, SET_TWO));
                raise(8);

                assertThatThrownBy(() -> insert(connection, "late"))
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                refused -> assertThat(refused.getSQLState()).isEqualTo("25P02"));
                connection.rollback();
                assertStale(() -> insert(connection, "late"));
                connection.rollback();
            }
            assertThat(database.lines()).isEmpty();
        }

        @Test
        void aCommitOfWhatFailedIsARollbackAndTheNextTransactionIsAdmitted() throws Exception {
            try (Connection connection = ofTerm7(database.connect())) {
                insert(connection, "never");
                assertThatThrownBy(() -> Installation.execute(connection, "SELECT 1/0"))
                        .isInstanceOf(SQLException.class);

                connection.commit();
                assertThat(database.lines()).isEmpty();
                insert(connection, "in time");
                connection.commit();
            }
            assertThat(database.lines()).containsExactly("in time");
        }

        @Test
        void aCommitThatFailsEndsTheAdmission() throws Exception {
            database.run("CREATE TABLE deferred(id int UNIQUE DEFERRABLE INITIALLY DEFERRED)");
            try (Connection connection = ofTerm7(database.connect())) {
                Installation.execute(connection, "INSERT INTO deferred VALUES (1), (1)");
                assertThatThrownBy(connection::commit).hasMessageContaining("duplicate key");
                raise(8);

                assertStale(() -> insert(connection, "late"));
                connection.rollback();
            }
            assertThat(database.lines()).isEmpty();
            database.run("DROP TABLE deferred");
        }

        @Test
        void aFailureThatIsTakenBackToASavepointLeavesTheLeaderAdmitted() throws Exception {
            try (Connection connection = ofTerm7(database.connect())) {
                Savepoint before = connection.setSavepoint();
                assertThatThrownBy(() -> Installation.execute(connection, "SELECT 1/0"))
                        .isInstanceOf(SQLException.class);
                connection.rollback(before);

                insert(connection, "in time");
                connection.commit();
            }
            assertThat(database.lines()).containsExactly("in time");
        }
    }

    @Nested
    class OnSqlite extends Sentences {
        OnSqlite() {
            super(SqliteDatabase.create());
        }

        @Test
        void aConflictThatRollsTheTransactionBackEndsTheAdmission() throws Exception {
            try (Connection connection = ofTerm7(database.connect())) {
                insert(connection, "rolled back by the database");
                assertThatThrownBy(() -> Installation.execute(
                                connection, "INSERT OR ROLLBACK INTO pair(id, v) VALUES (1, 'conflict')"))
                        .hasMessageContaining("UNIQUE");
                raise(8);

                assertStale(() -> insert(connection, "late"));
                assertStale(connection::commit);
                connection.rollback();
            }
            assertThat(database.lines()).isEmpty();
        }

        /** The driver begins no transaction then, so that the admission would end before the write begins. */
        @Test
        void whatIsWrittenAfterAConflictThatRolledBackIsOneTransactionWithItsAdmission() throws Exception {
            try (Connection connection = ofTerm7(database.connect())) {
                assertThatThrownBy(() -> Installation.execute(
                                connection, "INSERT OR ROLLBACK INTO pair(id, v) VALUES (1, 'conflict')"))
                        .hasMessageContaining("UNIQUE");
                insert(connection, "in time");

                assertThat(database.lines()).isEmpty();
                connection.commit();
            }
            assertThat(database.lines()).containsExactly("in time");
        }

        @Test
        void anAdmissionByItselfBeginsATransactionWhereTheDatabaseEndedOne() throws Exception {
            try (Connection connection = database.connect()) {
                connection.setAutoCommit(false);
                assertThatThrownBy(() -> Installation.execute(
                                connection, "INSERT OR ROLLBACK INTO pair(id, v) VALUES (1, 'conflict')"))
                        .hasMessageContaining("UNIQUE");
                JdbcFence.over(connection).admit(Leader.BILLING, new FencingToken(7));
                insert(connection, "in time");

                assertThat(database.lines()).isEmpty();
                connection.commit();
            }
            assertThat(database.lines()).containsExactly("in time");
        }

        @Test
        void inAutocommitAConflictThatRollsTheTransactionBackLeavesAConnectionThatWrites() throws Exception {
            try (Connection connection = ofTerm7(database.connect())) {
                connection.setAutoCommit(true);
                assertThatThrownBy(() -> Installation.execute(
                                connection, "INSERT OR ROLLBACK INTO pair(id, v) VALUES (1, 'conflict')"))
                        .hasMessageContaining("UNIQUE");

                insert(connection, "in time");
                raise(8);

                assertStale(() -> insert(connection, "late"));
                assertThat(connection.getAutoCommit()).isTrue();
            }
            assertThat(database.lines()).containsExactly("in time");
        }

        @Test
        void aTriggerThatRollsTheTransactionBackEndsTheAdmission() throws Exception {
            database.run("CREATE TRIGGER no BEFORE DELETE ON pair BEGIN SELECT RAISE(ROLLBACK, 'no'); END");
            try (Connection connection = ofTerm7(database.connect())) {
                insert(connection, "rolled back by the database");
                assertThatThrownBy(() -> Installation.execute(connection, "DELETE FROM pair"))
                        .hasMessageContaining("no");
                raise(8);

                assertStale(() -> insert(connection, "late"));
                assertStale(connection::commit);
                connection.rollback();
            }
            assertThat(database.lines()).isEmpty();
        }

        @Test
        void aTableIsMadeInAnAdmittedTransactionAndNotInAStaleOne() throws Exception {
            try (Connection connection = ofTerm7(database.connect())) {
                Installation.execute(connection, "CREATE TABLE made(id int)");
                connection.rollback();
                raise(8);

                assertStale(() -> Installation.execute(connection, "CREATE TABLE made(id int)"));
                assertStale(() -> Installation.execute(connection, "DROP TABLE pair"));
                connection.rollback();
            }
            assertThat(database.column("SELECT name FROM sqlite_master WHERE name IN ('made', 'pair')"))
                    .containsExactly("pair");
        }

        @Test
        void aConflictThatFailsOneStatementLeavesTheLeaderAdmitted() throws Exception {
            try (Connection connection = ofTerm7(database.connect())) {
                insert(connection, "one");
                assertThatThrownBy(() ->
                                Installation.execute(connection, "INSERT INTO pair(id, v) VALUES (1, 'conflict')"))
                        .hasMessageContaining("UNIQUE");
                insert(connection, "two");
                connection.commit();
            }
            assertThat(database.lines()).containsExactly("one", "two");
        }
    }

    /** What all of them share: a database with two rows to fight for. */
    abstract static class Sentences {
        final Database database;

        Sentences(Database database) {
            this.database = database;
        }

        /** The type of a long text. */
        String text() {
            return "varchar(20000)";
        }

        /** Lets a transaction win each deadlock. */
        void makeStrong(Connection other) throws SQLException {}

        @BeforeEach
        void raiseTo7() {
            database.run(
                    "CREATE TABLE pair(id int PRIMARY KEY, v " + text() + ")",
                    "INSERT INTO pair(id, v) VALUES (1, 'one'), (2, 'two'), (3, 'three')");
            raise(7);
        }

        @AfterEach
        void close() {
            database.run("DROP TABLE pair");
            database.close();
        }

        void raise(long to) {
            Leader.raise(database, to);
        }

        /** Another transaction that is older and heavier than the leader's, so that the server lets it win a deadlock. */
        final class Rival implements AutoCloseable {
            private final Connection connection;

            Rival() throws SQLException {
                connection = database.connect();
                connection.setAutoCommit(false);
                makeStrong(connection);
                Installation.execute(connection, "UPDATE pair SET v = 'rival' WHERE id = 2");
            }

            /** The leader holds row 1, for which the rival waits with row 2 in its hands: what the leader does now closes the circle. */
            void beats(Connection leader, ThrowingCallable closing) throws Exception {
                Installation.execute(leader, "UPDATE pair SET v = 'leader' WHERE id = 1");
                CompletableFuture<Void> waiting = CompletableFuture.runAsync(this::waitForRowOne);
                database.awaitWaiting(1);
                assertThat(waiting).isNotDone();

                assertThatThrownBy(closing)
                        .satisfies(failure ->
                                assertThat(states((SQLException) failure)).containsAnyOf("40001", "40P01"));

                waiting.get(60, SECONDS);
                connection.rollback();
            }

            private void waitForRowOne() {
                try {
                    Installation.execute(connection, "UPDATE pair SET v = 'rival' WHERE id = 1");
                } catch (SQLException lost) {
                    throw new IllegalStateException("the leader was to lose", lost);
                }
            }

            /** A batch tells its failures behind its own. */
            private static List<String> states(SQLException failure) {
                List<String> states = new ArrayList<>();
                for (SQLException one = failure; one != null; one = one.getNextException()) {
                    states.add(String.valueOf(one.getSQLState()));
                }
                return states;
            }

            @Override
            public void close() throws SQLException {
                connection.close();
            }
        }
    }
}
