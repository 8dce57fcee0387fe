package dev.incumbent.fence.sql;

import static dev.incumbent.fence.sql.Leader.assertStale;
import static dev.incumbent.fence.sql.Leader.insert;
import static dev.incumbent.fence.sql.Leader.ofTerm7;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What would be executed after its own admission has ended is refused on a fenced connection, and what a procedure hides is told. */
class UnfenceableTest {
    @Nested
    class OnMariaDb extends Sentences {
        OnMariaDb() {
            super(MariaDbDatabase.create());
        }

        @Override
        Connection plain() throws SQLException {
            return DriverManager.getConnection(database.url() + "&allowMultiQueries=true");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "TRUNCATE TABLE ledger",
                    "# select\nTRUNCATE ledger",
                    "/* select */ -- select\n TRUNCATE ledger",
                    "ALTER TABLE ledger ADD COLUMN x int",
                    "DROP TABLE ledger",
                    "CREATE TABLE other(id int)",
                    "CREATE OR REPLACE TABLE other(id int)",
                    "CREATE INDEX i ON ledger(line)",
                    "RENAME TABLE ledger TO other",
                    "LOCK TABLES ledger WRITE",
                    "OPTIMIZE TABLE ledger",
                    "ANALYZE TABLE ledger",
                    "ANALYZE LOCAL TABLE ledger",
                    "GRANT SELECT ON ledger TO keeper",
                    "SET PASSWORD = password('x')",
                    "SET STATEMENT max_statement_time = 9 FOR TRUNCATE ledger",
                    "PREPARE p FROM 'TRUNCATE ledger'",
                    "EXECUTE IMMEDIATE 'TRUNCATE ledger'",
                    "BEGIN NOT ATOMIC TRUNCATE ledger; END",
                    "IF 1 THEN TRUNCATE ledger; END IF",
                    "XA START 'x'",
                    "FLUSH TABLES",
                    "LOAD INDEX INTO CACHE ledger",
                    "START SLAVE"
                })
        void whatMariaDbCommitsBeforeIsRefusedHoweverItIsSent(String text) {
            assertRefusedHoweverItIsSent(
                    text,
                    "MariaDB may commit before it executes that, and with this commit the"
                            + " admission of token 7 of billing would end");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "/*! TRUNCATE ledger */",
                    "/*M!100100 TRUNCATE ledger */",
                    "/*!999999 SELECT */ TRUNCATE ledger",
                    "DROP /*!999999 TEMPORARY */ TABLE ledger",
                    "SELECT 1 /*!; TRUNCATE ledger */",
                    "SELECT 'a\\'; TRUNCATE ledger; -- '"
                })
        void whatMariaDbMayReadAsSomethingElseIsRefused(String text) {
            assertRefusedHoweverItIsSent(text, "reads in one way or another");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "INSERT INTO ledger(line) VALUES ('one'); TRUNCATE ledger",
                    "INSERT INTO ledger(line) VALUES ('one'); /* */ COMMIT; INSERT INTO ledger(line) VALUES ('late'); COMMIT",
                    "BEGIN; INSERT INTO ledger(line) VALUES ('late'); COMMIT",
                    "CALL harmless(); COMMIT"
                })
        void whatEndsTheAdmissionInTheMiddleOfATextIsRefused(String text) {
            assertRefusedHoweverItIsSent(text, "is refused on a fenced connection");
        }

        /** The server says so itself: its savepoint is still there afterwards. */
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "SELECT 1",
                    "INSERT INTO ledger(line) VALUES ('x')",
                    "UPDATE ledger SET line = 'x'",
                    "DELETE FROM ledger",
                    "REPLACE INTO ledger(line) VALUES ('x')",
                    "WITH x AS (SELECT 1) SELECT * FROM x",
                    "VALUES (1)",
                    "SHOW TABLES",
                    "EXPLAIN SELECT 1",
                    "DESCRIBE ledger",
                    "HELP 'select'",
                    "ANALYZE SELECT 1",
                    "ANALYZE FORMAT=JSON UPDATE ledger SET line = 'x'",
                    "DO 1",
                    "SET @x = 1",
                    "SET NAMES utf8mb4",
                    "SET innodb_lock_wait_timeout = 3",
                    "SAVEPOINT own",
                    "CREATE TEMPORARY TABLE draft(id int)",
                    "CREATE OR REPLACE TEMPORARY TABLE draft AS SELECT * FROM ledger",
                    "DROP TEMPORARY TABLE IF EXISTS draft",
                    "GET DIAGNOSTICS @n = NUMBER"
                })
        void whatIsNotRefusedLeavesMariaDbsTransactionUnderWay(String text) throws Exception {
            try (Connection connection = plain()) {
                connection.setAutoCommit(false);
                assertThat(new Fenceable(new MariaDbDialect(), "it").text(text).statements())
                        .hasSize(1);
                insert(connection, "under way");
                MariaDbSavepoint before = new MariaDbSavepoint(connection);

                Installation.execute(connection, text);

                assertThat(before.isThere()).isTrue();
                connection.rollback();
            }
        }

        @Test
        void aProcedureThatCommitsOnItsWayIsToldAndTheRestIsRolledBack() throws Exception {
            procedure(
                    "INSERT INTO ledger(line) VALUES ('admitted'); COMMIT; INSERT INTO ledger(line) VALUES ('late');");
            assertToldAndRolledBack("CALL p()");
        }

        @Test
        void aProcedureThatTruncatesIsTold() throws Exception {
            database.run("CREATE TABLE scratch(id int)");
            procedure(
                    "INSERT INTO ledger(line) VALUES ('admitted'); TRUNCATE scratch; INSERT INTO ledger(line) VALUES ('late');");
            assertToldAndRolledBack("{call p()}");
            database.run("DROP TABLE scratch");
        }

        @Test
        void aProcedureThatStaysWithinItsTransactionKeepsTheAdmission() throws Exception {
            procedure("INSERT INTO ledger(line) VALUES ('one'); INSERT INTO ledger(line) VALUES ('two');");
            keepsTheAdmission("CALL p()");
        }

        private void procedure(String body) {
            database.run("CREATE OR REPLACE PROCEDURE p() BEGIN " + body + " END");
        }

        @Test
        void aTemporaryTableIsMadeAndDroppedInAnAdmittedTransaction() throws Exception {
            try (Connection connection = ofTerm7(plain())) {
                insert(connection, "one");
                Installation.execute(connection, "CREATE TEMPORARY TABLE draft(line varchar(20))");
                Installation.execute(connection, "INSERT INTO draft VALUES ('two')");
                Installation.execute(connection, "INSERT INTO ledger(line) SELECT line FROM draft");
                Installation.execute(connection, "DROP TEMPORARY TABLE draft");
                assertThat(database.lines()).isEmpty();
                connection.commit();
            }
            assertThat(database.lines()).containsExactly("one", "two");
        }
    }

    @Nested
    class OnH2 extends Sentences {
        OnH2() {
            super(H2Database.create());
        }

        @Override
        Connection plain() throws SQLException {
            return database.connect();
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "TRUNCATE TABLE ledger",
                    "// select\nTRUNCATE TABLE ledger",
                    "/* /* */ select */ TRUNCATE TABLE ledger",
                    "ALTER TABLE ledger ADD COLUMN x int",
                    "DROP TABLE ledger",
                    "CREATE TABLE other(id int)",
                    "CREATE LOCAL TEMPORARY TABLE other(id int)",
                    "COMMENT ON TABLE ledger IS 'x'",
                    "GRANT SELECT ON ledger TO PUBLIC",
                    "ANALYZE",
                    "EXECUTE IMMEDIATE 'TRUNCATE TABLE ledger'",
                    "RUNSCRIPT FROM '/nowhere'",
                    "SHUTDOWN"
                })
        void whatH2CommitsBeforeIsRefusedHoweverItIsSent(String text) {
            assertRefusedHoweverItIsSent(
                    text,
                    "H2 may commit before it executes that, and with this commit the admission of token 7 of billing would"
                            + " end");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "INSERT INTO ledger(line) VALUES ('one'); TRUNCATE TABLE ledger",
                    "INSERT INTO ledger(line) VALUES ('one'); COMMIT; INSERT INTO ledger(line) VALUES ('late'); COMMIT"
                })
        void whatEndsTheAdmissionInTheMiddleOfATextIsRefused(String text) {
            assertRefusedHoweverItIsSent(text, "is refused on a fenced connection");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "SELECT 1",
                    "MERGE INTO ledger(id, line) KEY(id) VALUES (1, 'x')",
                    "WITH x AS (SELECT 1) SELECT * FROM x",
                    "VALUES (1)",
                    "TABLE ledger",
                    "SHOW TABLES",
                    "EXPLAIN SELECT 1",
                    "HELP SELECT",
                    "CALL 1 + 1",
                    "SET @x = 1",
                    "SAVEPOINT own"
                })
        void whatIsNotRefusedLeavesH2sTransactionUnderWay(String text) throws Exception {
            try (Connection connection = plain()) {
                connection.setAutoCommit(false);
                assertThat(new Fenceable(new H2Dialect(), "it").text(text).statements())
                        .hasSize(1);
                insert(connection, "under way");
                H2TransactionId before = new H2TransactionId(connection);

                Installation.execute(connection, text);

                assertThat(before.isThere()).isTrue();
                connection.rollback();
            }
            assertThat(database.lines()).isEmpty();
        }

        @Test
        void anAliasThatCommitsOnItsWayIsToldAndTheRestIsRolledBack() throws Exception {
            alias("commits");
            assertToldAndRolledBack("CALL p()");
        }

        @ParameterizedTest
        @ValueSource(strings = {"SELECT p()", "INSERT INTO ledger(line) SELECT 'by query ' || p()"})
        void anAliasInAQueryThatCommitsOnItsWayIsTold(String query) throws Exception {
            alias("commits");

            assertToldBy(query, Connection::commit);
            assertToldBy(query, connection -> connection.setAutoCommit(true));
            assertToldBy(query, connection -> Installation.execute(connection, "COMMIT"));
            assertToldBy(query, connection -> Installation.execute(connection, "CALL 1"));
            assertToldBy(query, connection -> Installation.execute(connection, "SET @x = 1"));
            assertToldBy(query, connection -> connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE));
        }

        @Test
        void anAliasInAQueryInAutocommitIsToldAtOnce() throws Exception {
            alias("commits");
            try (Connection connection = ofTerm7(plain())) {
                connection.setAutoCommit(true);

                assertTold(() -> Installation.execute(connection, "SELECT p()"));
            }
            assertThat(database.lines()).containsExactly("admitted");
        }

        /** What may commit. */
        private interface End {
            void of(Connection connection) throws SQLException;
        }

        private void assertToldBy(String query, End end) throws Exception {
            try (Connection connection = ofTerm7(plain())) {
                Installation.execute(connection, query);
                assertTold(() -> end.of(connection));
                connection.commit();
            }
            assertThat(database.lines()).containsExactly("admitted");
            database.run("DELETE FROM ledger");
        }

        private static void assertTold(ThrowingCallable end) {
            assertThatThrownBy(end)
                    .hasMessageStartingWith("a function that a query called ended its transaction, and with it the"
                            + " admission of token 7 of billing")
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            told -> assertThat(told.getSQLState()).isEqualTo("IF003"));
        }

        @Test
        void anAliasThatStaysWithinItsTransactionKeepsTheAdmission() throws Exception {
            alias("stays");
            keepsTheAdmission("CALL p()");
        }

        @Test
        void anAliasInAQueryThatStaysWithinItsTransactionKeepsTheAdmission() throws Exception {
            alias("stays");
            keepsTheAdmission("SELECT p()");
        }

        private void alias(String method) {
            database.run(
                    "DROP ALIAS IF EXISTS p",
                    "CREATE ALIAS p FOR '" + H2Procedures.class.getName() + "." + method + "'");
        }
    }

    @Nested
    class OnPostgres {
        private final PostgresDatabase database = PostgresDatabase.create();

        @AfterEach
        void close() {
            database.close();
        }

        @Test
        void aTableIsTruncatedAndAlteredInAnAdmittedTransactionAndNotInAStaleOne() throws Exception {
            Leader.raise(database, 7);
            try (Connection connection = ofTerm7(database.connect())) {
                insert(connection, "one");
                connection.commit();
                Installation.execute(connection, "TRUNCATE ledger");
                Installation.execute(connection, "ALTER TABLE ledger ADD COLUMN x int");
                Installation.execute(connection, "ALTER TABLE ledger DROP COLUMN x");
                insert(connection, "two");
                connection.commit();
                Leader.raise(database, 8);

                assertStale(() -> Installation.execute(connection, "TRUNCATE ledger"));
                connection.rollback();
            }
            assertThat(database.lines()).containsExactly("two");
        }

        @Test
        void aCommitInTheMiddleOfATextIsRefused() throws Exception {
            Leader.raise(database, 7);
            try (Connection connection = ofTerm7(database.connect())) {
                assertThatThrownBy(() -> Installation.execute(
                                connection, "SELECT $$;$$; COMMIT; INSERT INTO ledger(line) VALUES ('late'); COMMIT"))
                        .hasMessage("COMMIT before other statements of the same text is refused on a fenced connection:"
                                + " it ends the admission of token 7 of billing before they are executed; send it by"
                                + " itself");
            }
            assertThat(database.lines()).isEmpty();
        }
    }

    /** What all of them share. */
    abstract static class Sentences {
        final Database database;

        Sentences(Database database) {
            this.database = database;
        }

        /** A connection that takes several statements in one text. */
        abstract Connection plain() throws SQLException;

        @BeforeEach
        void raiseTo7() {
            Leader.raise(database, 7);
        }

        @AfterEach
        void close() {
            database.close();
        }

        void assertRefusedHoweverItIsSent(String text, String sentence) {
            try (Connection connection = ofTerm7(plain());
                    Statement statement = connection.createStatement()) {
                assertRefused(() -> statement.execute(text), sentence);
                assertRefused(() -> statement.executeUpdate(text), sentence);
                assertRefused(() -> statement.executeQuery(text), sentence);
                assertRefused(() -> statement.addBatch(text), sentence);
                assertRefused(() -> connection.prepareStatement(text), sentence);
                assertRefused(() -> connection.prepareStatement(text, Statement.RETURN_GENERATED_KEYS), sentence);
                assertRefused(() -> connection.prepareCall(text), sentence);
                connection.setAutoCommit(true);
                assertRefused(() -> statement.execute(text), sentence);
            } catch (SQLException failure) {
                throw new IllegalStateException(failure);
            }
            assertThat(database.lines()).isEmpty();
        }

        private static void assertRefused(ThrowingCallable sending, String sentence) {
            assertThatThrownBy(sending)
                    .hasMessageContaining(sentence)
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            refused -> assertThat(refused.getSQLState()).isEqualTo("0A000"));
        }

        @Test
        void aRefusalLeavesTheTransactionAsItWas() throws Exception {
            try (Connection connection = ofTerm7(plain())) {
                insert(connection, "one");
                assertThatThrownBy(() -> Installation.execute(connection, "TRUNCATE TABLE ledger"))
                        .hasMessageStartingWith("TRUNCATE is refused on a fenced connection: ");
                insert(connection, "two");
                assertThat(database.lines()).isEmpty();
                connection.commit();
            }
            assertThat(database.lines()).containsExactly("one", "two");
        }

        @Test
        void theEndOfATransactionIsNoPartOfABatch() throws Exception {
            try (Connection connection = ofTerm7(plain());
                    Statement batch = connection.createStatement()) {
                batch.addBatch("INSERT INTO ledger(line) VALUES ('one')");
                assertThatThrownBy(() -> batch.addBatch("COMMIT")).hasMessageContaining("refused in a batch");
                batch.executeBatch();
                assertThat(database.lines()).isEmpty();
                connection.commit();
            }
            assertThat(database.lines()).containsExactly("one");
        }

        @Test
        void aTransactionThatIsBegunByTextInAutocommitIsRefused() throws Exception {
            try (Connection connection = ofTerm7(plain())) {
                connection.setAutoCommit(true);

                assertThatThrownBy(() -> Installation.execute(connection, "BEGIN"))
                        .hasMessageContaining("begin one with setAutoCommit(false), and not by text");
            }
        }

        final void assertToldAndRolledBack(String call) throws Exception {
            try (Connection connection = ofTerm7(plain());
                    CallableStatement p = connection.prepareCall(call)) {
                assertThatThrownBy(p::execute)
                        .hasMessageStartingWith(
                                "CALL ended its transaction, and with it the admission of token 7 of billing")
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                told -> assertThat(told.getSQLState()).isEqualTo("IF003"));
                connection.commit();
            }
            assertThat(database.lines()).containsExactly("admitted");
        }

        final void keepsTheAdmission(String call) throws Exception {
            try (Connection connection = ofTerm7(plain())) {
                Installation.execute(connection, call);
                Thread raise = new Thread(() -> Leader.raise(database, 8));
                raise.start();
                raise.join(200);

                assertThat(raise.isAlive()).as("the raise waits").isTrue();
                assertThat(database.lines()).isEmpty();
                connection.commit();
                raise.join(10_000);
                assertThat(raise.isAlive()).isFalse();
                assertThat(database.lines()).containsExactly("one", "two");
                assertStale(() -> insert(connection, "late"));
                connection.rollback();
            }
        }
    }
}
