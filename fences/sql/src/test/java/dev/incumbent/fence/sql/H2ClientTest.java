package dev.incumbent.fence.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.servers.TemporaryFolder;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.h2.api.ErrorCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a client of H2 gets that has nothing of ours but the statement of the documentation. */
class H2ClientTest {
    private static final String ADMIT_7 = "CALL incumbent_admit('billing', 7)";

    private final H2Database database = H2Database.create();

    @AfterEach
    void close() {
        database.close();
    }

    /** H2 turns autocommit off while it calls a procedure, so that this one cannot tell. A guard holds there, too. */
    @Test
    void inAutocommitAnAdmissionEndsWithItsStatement() throws Exception {
        Leader.raise(database, 7);
        try (Connection connection = database.connect()) {
            Installation.execute(connection, ADMIT_7);

            Leader.raise(database, 8);

            assertThatThrownBy(() -> Installation.execute(connection, ADMIT_7))
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            refused -> assertThat(refused.getSQLState()).isEqualTo("IF001"));
        }
    }

    /** There are 16 slots. */
    @Test
    void sixteenSessionsAreAdmittedBesideEachOtherAndTwoOfOneSlotTakeTurns() throws Exception {
        Leader.raise(database, 7);
        List<Connection> sessions = new ArrayList<>();
        try {
            Map<Long, Connection> bySlot = new HashMap<>();
            List<Connection> ofOneSlot = List.of();
            while (bySlot.size() < 16 || ofOneSlot.isEmpty()) {
                assertThat(sessions).hasSizeLessThan(64);
                Connection session = database.connect();
                sessions.add(session);
                session.setAutoCommit(false);
                Connection before = bySlot.putIfAbsent(slot(session), session);
                if (before != null) {
                    ofOneSlot = List.of(before, session);
                }
            }
            for (Connection session : bySlot.values()) {
                Installation.execute(session, ADMIT_7);
            }
            Connection waits = ofOneSlot.get(1);
            Installation.execute(waits, "SET LOCK_TIMEOUT 300");

            assertThatThrownBy(() -> Installation.execute(waits, ADMIT_7))
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            waited -> assertThat(waited.getErrorCode()).isEqualTo(ErrorCode.LOCK_TIMEOUT_1));
            ofOneSlot.get(0).commit();
            Installation.execute(waits, ADMIT_7);
        } finally {
            for (Connection session : sessions) {
                session.rollback();
                session.close();
            }
        }
    }

    private static long slot(Connection session) throws SQLException {
        try (Statement statement = session.createStatement();
                ResultSet row = statement.executeQuery("SELECT MOD(SESSION_ID(), 16)")) {
            row.next();
            return row.getLong(1);
        }
    }

    @Test
    void aWriterThatIsInterruptedClosesTheDatabaseForTheOthersToo() throws Exception {
        try (TemporaryFolder folder = TemporaryFolder.create("h2")) {
            String url = "jdbc:h2:file:" + folder.resolve("ledger") + ";WRITE_DELAY=0";
            Connection writer = DriverManager.getConnection(url);
            Connection other = DriverManager.getConnection(url);
            Installation.execute(writer, "CREATE TABLE ledger(line varchar(200) NOT NULL)");
            Thread.currentThread().interrupt();

            assertThatThrownBy(() -> Installation.execute(writer, "INSERT INTO ledger VALUES ('interrupted')"))
                    .hasStackTraceContaining("ClosedByInterruptException");

            assertThat(Thread.interrupted()).isTrue();
            assertThatThrownBy(() -> Installation.execute(other, "INSERT INTO ledger VALUES ('other')"))
                    .isInstanceOf(SQLException.class);
            closeWithWhatBrokeIt(writer);
            closeWithWhatBrokeIt(other);
        }
    }

    private static void closeWithWhatBrokeIt(Connection connection) {
        try {
            connection.close();
        } catch (SQLException broken) {
            // As it is to be: it tells what broke the database.
        }
    }
}
