package dev.incumbent.fence.sql;

import static dev.incumbent.fence.sql.Leader.insert;
import static dev.incumbent.fence.sql.Leader.ofTerm7;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a fenced connection refuses on MySQL, and what it lets through. */
@Tag("trial")
class MySqlUnfenceableTest extends UnfenceableTest.Sentences {
    MySqlUnfenceableTest() {
        super(MySqlDatabase.create());
    }

    @Override
    Connection plain() throws SQLException {
        return DriverManager.getConnection(database.url() + "&allowMultiQueries=true");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/*! TRUNCATE ledger */",
                "/*!80400 TRUNCATE ledger */",
                "/*!999999 SELECT */ TRUNCATE ledger",
                "DROP /*!999999 TEMPORARY */ TABLE ledger",
                "SELECT 1 /*!; TRUNCATE ledger */",
                "SELECT 'a\\'; TRUNCATE ledger; -- '"
            })
    void whatMySqlMayReadAsSomethingElseIsRefused(String text) {
        assertRefusedHoweverItIsSent(text, "reads in one way or another");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "INSERT INTO ledger(line) VALUES ('one'); TRUNCATE ledger",
                "INSERT INTO ledger(line) VALUES ('one'); /* */ COMMIT; INSERT INTO ledger(line) VALUES ('late'); COMMIT",
                "BEGIN; INSERT INTO ledger(line) VALUES ('late'); COMMIT",
                "CALL harmless(); COMMIT",
                "SET autocommit = 1"
            })
    void whatEndsTheAdmissionInTheMiddleOfATextIsRefused(String text) {
        assertRefusedHoweverItIsSent(text, "on a fenced connection");
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
                "VALUES ROW(1)",
                "SHOW TABLES",
                "EXPLAIN SELECT 1",
                "EXPLAIN ANALYZE SELECT 1",
                "DESCRIBE ledger",
                "HELP 'select'",
                "DO 1",
                "SET @x = 1",
                "SET NAMES utf8mb4",
                "SET innodb_lock_wait_timeout = 3",
                "SET GLOBAL innodb_lock_wait_timeout = 50",
                "SET ROLE NONE",
                "SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE",
                "SAVEPOINT own",
                "CREATE TEMPORARY TABLE draft(id int)",
                "CREATE TEMPORARY TABLE draft AS SELECT * FROM ledger",
                "DROP TEMPORARY TABLE IF EXISTS draft",
                "GET DIAGNOSTICS @n = NUMBER"
            })
    void whatIsNotRefusedLeavesMySqlsTransactionUnderWay(String text) throws Exception {
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
        assertThat(database.lines()).isEmpty();
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
