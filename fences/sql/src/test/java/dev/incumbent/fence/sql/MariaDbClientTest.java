package dev.incumbent.fence.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.fence.NotAdmittedException;
import dev.incumbent.model.FencingToken;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client of MariaDB gets that has nothing of ours but the statement of the documentation. */
class MariaDbClientTest {
    private static final String ADMIT_7 = "CALL incumbent_admit('billing', 7)";
    private static final String RAISE_7 = "CALL incumbent_raise('billing', 7, 'operator:me')";

    private final MariaDbDatabase database = MariaDbDatabase.create();

    @BeforeEach
    void raiseTo7() {
        Leader.raise(database, 7);
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void anAdmissionInAutocommitIsRefused() throws Exception {
        try (Connection connection = database.connect()) {
            assertState("IF003", () -> Installation.execute(connection, ADMIT_7));
            Installation.execute(connection, "START TRANSACTION");
            Installation.execute(connection, ADMIT_7);
            Installation.execute(connection, "COMMIT");
        }
    }

    /** A session without a limit of its own, with a longer one, and with a shorter one. */
    @ParameterizedTest
    @CsvSource({"0, 15", "60, 15", "16, 15", "15, 15", "2, 2"})
    void anAdmittedTransactionIsIdleForAQuarterOfAMinuteAtMost(int own, int admitted) throws Exception {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("SET SESSION idle_transaction_timeout = " + own);
            statement.execute(ADMIT_7);

            try (ResultSet row = statement.executeQuery("SELECT @@idle_transaction_timeout")) {
                assertThat(row.next()).isTrue();
                assertThat(row.getInt(1)).isEqualTo(admitted);
            }
        }
    }

    @Test
    void anAdmittedTransactionThatIsLeftIdleIsEndedByTheServer() throws Exception {
        try (Connection paused = database.connect()) {
            paused.setAutoCommit(false);
            Installation.execute(paused, "SET SESSION idle_transaction_timeout = 1");
            Installation.execute(paused, ADMIT_7);
            Installation.execute(paused, "INSERT INTO ledger(line) VALUES ('late')");

            Leader.raise(database, 8);

            assertThatThrownBy(() -> Installation.execute(paused, "COMMIT")).isInstanceOf(SQLException.class);
        }
        assertThat(database.lines()).isEmpty();
    }

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

    /** The first admission of a session with a token, and every later one, which is shorter. */
    @Test
    void aSessionThatWasAdmittedBeforeIsAskedAsStrictly() throws Exception {
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            for (int i = 0; i < 3; i++) {
                Installation.execute(connection, ADMIT_7);
                connection.commit();
            }
            for (String unlike : new String[] {"'7 '", "'07;'", "'7%'", "'_'", "'%'", "NULL", "8"}) {
                assertState("IF002", () -> Installation.execute(connection, ADMIT_7.replace("7", unlike)));
            }
            connection.rollback();
            connection.setAutoCommit(true);
            assertState("IF003", () -> Installation.execute(connection, ADMIT_7));
            connection.setAutoCommit(false);
            Leader.raise(database, 8);

            assertState("IF001", () -> Installation.execute(connection, ADMIT_7));

            connection.rollback();
            database.run("DELETE FROM incumbent_fence");
            assertState("IF002", () -> Installation.execute(connection, ADMIT_7));
            connection.rollback();
        }
    }

    /** A lock on the gap where its mark will be would hold up the first raise, for as long as the refused transaction stays open. */
    @ParameterizedTest
    @ValueSource(
            ints = {
                Connection.TRANSACTION_READ_UNCOMMITTED,
                Connection.TRANSACTION_READ_COMMITTED,
                Connection.TRANSACTION_REPEATABLE_READ,
                Connection.TRANSACTION_SERIALIZABLE
            })
    void whoeverIsRefusedForWantOfAMarkDoesNotHoldUpTheFirstRaise(int isolation) throws Exception {
        database.run("DELETE FROM incumbent_fence");
        try (Connection refused = database.connect()) {
            refused.setTransactionIsolation(isolation);
            refused.setAutoCommit(false);
            assertState("IF002", () -> Installation.execute(refused, ADMIT_7));

            Leader.raise(database, 7);

            refused.rollback();
        }
    }

    /** The lock on the gap is given back only together with all else that the transaction has in InnoDB. */
    @Test
    void whoeverWroteBeforeItWasRefusedForWantOfAMarkHoldsUpTheFirstRaise() throws Exception {
        database.run("DELETE FROM incumbent_fence");
        try (Connection refused = database.connect();
                Connection raiser = database.connect()) {
            refused.setAutoCommit(false);
            Installation.execute(refused, "INSERT INTO ledger(line) VALUES ('before it')");
            assertState("IF002", () -> Installation.execute(refused, ADMIT_7));
            Installation.execute(raiser, "SET SESSION innodb_lock_wait_timeout = 1");
            assertThatThrownBy(() -> Installation.execute(raiser, RAISE_7)).hasMessageContaining("Lock wait timeout");

            refused.rollback();

            Installation.execute(raiser, RAISE_7);
        }
    }

    /** With {@code innodb_snapshot_isolation} the server refuses to lock a mark that is newer than what the transaction has read, and ends the transaction. */
    @Test
    void whoeverReadBeforeTheRaiseAndAsksAfterItIsToBeginAgain() throws Exception {
        try (Connection connection = database.connect()) {
            Installation.execute(connection, "SET SESSION innodb_snapshot_isolation = ON");
            connection.setAutoCommit(false);
            Installation.execute(connection, "SELECT count(*) FROM ledger");
            Leader.raise(database, 8);

            assertThatThrownBy(() -> JdbcFence.over(connection).admit(Leader.BILLING, new FencingToken(8)))
                    .isInstanceOf(NotAdmittedException.class)
                    .hasMessageContaining("its transaction had read an older state and is rolled back")
                    .cause()
                    .isInstanceOfSatisfying(SQLException.class, older -> {
                        assertThat(older.getErrorCode()).isEqualTo(MariaDbServer.SNAPSHOT_IS_OLDER);
                        assertThat(older.getSQLState()).isEqualTo("40001");
                    });
            JdbcFence.over(connection).admit(Leader.BILLING, new FencingToken(8));
            connection.rollback();
        }
    }

    /** So a script that goes on commits what follows, unless the table is guarded. The connector calls it transient, though nothing is wrong with its connection. */
    @Test
    void aRefusalDoesNotEndTheTransaction() throws Exception {
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            assertThatThrownBy(() -> Installation.execute(connection, ADMIT_7.replace("7", "6")))
                    .isInstanceOfSatisfying(
                            SQLTransientConnectionException.class,
                            refused -> assertThat(refused.getSQLState()).isEqualTo("IF001"));
            Installation.execute(connection, "INSERT INTO ledger(line) VALUES ('unfenced')");
            connection.commit();
        }
        assertThat(database.lines()).containsExactly("unfenced");
    }

    /** Holds what the page says that MariaDB does: a transaction that is prepared gives up the lock of its admission, and can be committed after a raise. */
    @Test
    void aTransactionThatIsPreparedHoldsUpNobodyAndCanBeCommittedAfterARaise() throws Exception {
        Leader.raise(database, 7);
        try (Connection connection = database.connect()) {
            String insert = "INSERT INTO ledger(line) VALUES ('late')";
            for (String statement : new String[] {"XA START 'x'", ADMIT_7, insert, "XA END 'x'", "XA PREPARE 'x'"}) {
                Installation.execute(connection, statement);
            }

            Leader.raise(database, 8);
            Installation.execute(connection, "XA COMMIT 'x'");
        }
        assertThat(database.lines()).containsExactly("late");
    }

    @Test
    void aRaiseWithinATransactionIsRefused() throws Exception {
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            Installation.execute(connection, "INSERT INTO ledger(line) VALUES ('one')");
            assertState("IF006", () -> Installation.execute(connection, RAISE_7));
            connection.rollback();
        }
    }

    @Test
    void aWriterMayNeitherRaiseNorTouchTheMark() throws Exception {
        String writer = "writer_" + database.name();
        database.run(
                "CREATE OR REPLACE USER " + writer + "@'%' IDENTIFIED BY 'w'",
                "GRANT EXECUTE ON PROCEDURE incumbent_admit TO " + writer + "@'%'",
                "GRANT INSERT ON ledger TO " + writer + "@'%'");
        String url = database.url()
                .replace("user=" + dev.incumbent.servers.MariaDbServer.USER, "user=" + writer)
                .replace("password=" + dev.incumbent.servers.MariaDbServer.PASSWORD, "password=w");
        try (Connection connection = DriverManager.getConnection(url)) {
            connection.setAutoCommit(false);
            assertState("42000", () -> Installation.execute(connection, "UPDATE incumbent_fence SET token = 9"));
            assertState("42000", () -> Installation.execute(connection, "SELECT * FROM incumbent_fence"));
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
