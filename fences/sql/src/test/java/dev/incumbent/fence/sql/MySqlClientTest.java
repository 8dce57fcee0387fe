package dev.incumbent.fence.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.model.ElectionName;
import dev.incumbent.servers.MySqlServer;
import java.sql.Connection;
import java.sql.SQLException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The ways around a fence on MySQL: which it refuses, and which it cannot see. */
class MySqlClientTest {
    private static final String ADMIT_7 = "CALL incumbent_admit('billing', 7)";
    private static final String WRITE = "INSERT INTO ledger(line) VALUES ('late')";

    private final MySqlDatabase database = MySqlDatabase.create();

    @BeforeEach
    void raiseTo7() {
        Leader.raise(database, 7);
    }

    @AfterEach
    void close() {
        database.run("DROP TRIGGER IF EXISTS incumbent_guards_ledger_insert");
        database.run("DROP TRIGGER IF EXISTS incumbent_guards_ledger_update");
        database.run("DROP TRIGGER IF EXISTS incumbent_guards_ledger_delete");
        database.close();
    }

    /** Only in a transaction can a savepoint be released. */
    @Test
    void anAdmissionInAutocommitIsRefusedAndNoneInATransaction() throws Exception {
        try (Connection connection = database.connect()) {
            assertState("IF003", () -> Installation.execute(connection, ADMIT_7));
            for (String begin : new String[] {"START TRANSACTION", "SET autocommit = 0", "XA START 'x'"}) {
                Installation.execute(connection, begin);
                Installation.execute(connection, ADMIT_7);
                Installation.execute(connection, begin.startsWith("XA") ? "XA END 'x'" : "ROLLBACK");
                Installation.execute(connection, begin.startsWith("XA") ? "XA ROLLBACK 'x'" : "SET autocommit = 1");
            }
        }
    }

    @Test
    void aGuardRefusesWhoNeverAskedAndWhoseTokenIsStaleAlsoInAutocommit() throws Exception {
        new SqlSinkProvider().guard(database.url(), "ledger", new ElectionName("other"));
        new SqlSinkProvider().guard(database.url(), "ledger", new ElectionName("billing"));
        try (Connection connection = database.connect()) {
            assertState("IF003", () -> Installation.execute(connection, WRITE));
            connection.setAutoCommit(false);
            Installation.execute(connection, ADMIT_7);
            Installation.execute(connection, "INSERT INTO ledger(line) VALUES ('in time')");
            connection.commit();
            connection.setAutoCommit(true);

            Leader.raise(database, 8);

            assertState("IF001", () -> Installation.execute(connection, WRITE));
            assertState("IF001", () -> Installation.execute(connection, "UPDATE ledger SET line = 'late'"));
            assertState("IF001", () -> Installation.execute(connection, "DELETE FROM ledger"));
        }
        assertThat(database.lines()).containsExactly("in time");
    }

    /** MySQL commits before it executes these, and the admission ends with that commit. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "TRUNCATE TABLE ledger",
                "ALTER TABLE ledger ADD COLUMN x int",
                "CREATE TABLE other(id int)",
                "LOCK TABLES ledger WRITE",
                "LOCK INSTANCE FOR BACKUP",
                "XA START 'x'",
                "IMPORT TABLE FROM 'x'",
                "PREPARE p FROM 'TRUNCATE ledger'",
                "SET PASSWORD = 'x'"
            })
    void aFencedConnectionRefusesWhatCommitsByItself(String statement) throws Exception {
        try (Connection fenced = Leader.ofTerm7(database.connect())) {
            Leader.insert(fenced, "in time");
            assertState("0A000", () -> Installation.execute(fenced, statement));
            fenced.commit();
        }
        assertThat(database.lines()).containsExactly("in time");
    }

    @Test
    void aProcedureThatCommitsIsToldToAFencedConnection() throws Exception {
        database.run("CREATE PROCEDURE IF NOT EXISTS commits() BEGIN COMMIT; END");
        try (Connection fenced = Leader.ofTerm7(database.connect())) {
            Leader.insert(fenced, "in time");
            assertState("IF003", () -> Installation.execute(fenced, "CALL commits()"));
            fenced.rollback();
        }
    }

    @Test
    void aTransactionThatIsPreparedHoldsUpARaiseAlsoWhenItsClientIsGone() throws Exception {
        try (Connection gone = database.connect()) {
            prepare(gone);
        }
        try (Connection raiser = database.connect()) {
            Installation.execute(raiser, "SET SESSION innodb_lock_wait_timeout = 1");
            assertThatThrownBy(() -> Installation.execute(raiser, "CALL incumbent_raise('billing', 8, 'operator:me')"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("Lock wait timeout");
            Installation.execute(raiser, "XA COMMIT 'x'");
        }
        Leader.raise(database, 8);
        assertThat(database.lines()).containsExactly("late");
    }

    /** What is not undone with the lock can be committed later: the fence cannot see it. */
    @Test
    @Tag("trial")
    void afterARestartOfTheServerAPreparedTransactionHoldsUpNobody() throws Exception {
        try (MySqlServer own = MySqlServer.start()) {
            MySqlDatabase there = MySqlDatabase.create(own);
            Leader.raise(there, 7);
            try (Connection gone = there.connect()) {
                prepare(gone);
            }
            own.process().kill();
            own.process().startAgain();

            Leader.raise(there, 8);
            there.run("XA COMMIT 'x'");

            assertThat(there.lines()).containsExactly("late");
        }
    }

    /** The server rolls back as a whole what it has in InnoDB. */
    @Test
    void aRollbackToAnOlderSavepointUndoesTheAdmission() throws Exception {
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            Installation.execute(connection, "SAVEPOINT before_it");
            Installation.execute(connection, ADMIT_7);
            Installation.execute(connection, "ROLLBACK TO before_it");

            Leader.raise(database, 8);

            connection.rollback();
        }
    }

    @Test
    void aFunctionThatAsksInAutocommitIsAdmittedUntilItsStatementEnds() throws Exception {
        database.run("CREATE FUNCTION asks() RETURNS int MODIFIES SQL DATA BEGIN CALL incumbent_admit('billing', 7);"
                + " RETURN 1; END");
        try (Connection connection = database.connect()) {
            Installation.execute(connection, "SELECT asks()");
            Leader.raise(database, 8);
            assertState("IF001", () -> Installation.execute(connection, "SELECT asks()"));
        }
        database.run("DROP FUNCTION asks");
    }

    private static void prepare(Connection connection) throws SQLException {
        for (String statement : new String[] {"XA START 'x'", ADMIT_7, WRITE, "XA END 'x'", "XA PREPARE 'x'"}) {
            Installation.execute(connection, statement);
        }
    }

    @Test
    void aWriterMayNeitherRaiseNorTouchTheMark() throws Exception {
        String writer = "writer_" + database.name();
        database.run(
                "CREATE USER " + writer + "@'%' IDENTIFIED BY 'w'",
                "GRANT EXECUTE ON PROCEDURE incumbent_admit TO " + writer + "@'%'",
                "GRANT INSERT ON ledger TO " + writer + "@'%'");
        String url = database.url()
                .replace("user=" + MySqlServer.USER, "user=" + writer)
                .replace("password=" + MySqlServer.PASSWORD, "password=w");
        try (Connection connection = java.sql.DriverManager.getConnection(url)) {
            connection.setAutoCommit(false);
            assertState("42000", () -> Installation.execute(connection, "UPDATE incumbent_fence SET token = 9"));
            assertState(
                    "42000",
                    () -> Installation.execute(connection, "CALL incumbent_raise('billing', 9, 'operator:x')"));
            Installation.execute(connection, ADMIT_7);
            Installation.execute(connection, "INSERT INTO ledger(line) VALUES ('mine')");
            connection.commit();
        }
        assertThat(database.lines()).containsExactly("mine");
        database.run("DROP USER " + writer + "@'%'");
    }

    private static void assertState(String state, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        SQLException.class,
                        refused -> assertThat(refused.getSQLState()).isEqualTo(state));
    }
}
