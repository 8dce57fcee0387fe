package dev.incumbent.fence.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.fence.Sink;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a fenced connection has PostgreSQL do: the admission travels with the first statement where it can. */
class PostgresRoundTripTest {
    private static final ElectionName BILLING = new ElectionName("billing");
    private static final FencingToken SEVEN = new FencingToken(7);

    private final Database database = PostgresDatabase.create();
    private final List<String> prepared = new ArrayList<>();

    @BeforeEach
    void raise() {
        try (Sink sink = new SqlSinkProvider().open(database.url(), Duration.ofSeconds(10))) {
            sink.raise(BILLING, new Mark(SEVEN, MarkOwner.ofOperator("me")))
                    .toCompletableFuture()
                    .join();
        }
    }

    @AfterEach
    void close() {
        database.close();
    }

    private Connection fenced() throws SQLException {
        Connection within = DriverManager.getConnection(database.url());
        Connection seen = Calls.proxy(Connection.class, (proxy, method, arguments) -> {
            if (method.getName().equals("prepareStatement")) {
                prepared.add(String.valueOf(arguments[0]));
            }
            return Calls.call(within, method, arguments);
        });
        return FencedConnection.over(seen, BILLING, SEVEN);
    }

    @Test
    void theAdmissionTravelsWithTheFirstStatementAndWithNoOther() throws SQLException {
        try (Connection connection = fenced();
                PreparedStatement insert = connection.prepareStatement("INSERT INTO ledger(line) VALUES (?)")) {
            connection.setAutoCommit(false);
            for (String line : List.of("one", "two")) {
                insert.setString(1, line);
                insert.executeUpdate();
                insert.executeUpdate();
                connection.commit();
            }
        }
        String admission = PostgresFence.admission(BILLING, SEVEN);
        assertThat(prepared)
                .containsExactly(
                        "INSERT INTO ledger(line) VALUES (?)", admission + "INSERT INTO ledger(line) VALUES (?)");
        assertThat(database.lines()).containsExactly("one", "one", "two", "two");
    }

    @ParameterizedTest
    @CsvSource({"0, 15s", "16s, 15s", "15s, 15s", "2s, 2s"})
    void anAdmittedTransactionIsIdleForAQuarterOfAMinuteAtMost(String own, String admitted) throws SQLException {
        try (Connection connection = fenced();
                PreparedStatement limit =
                        connection.prepareStatement("SELECT current_setting('idle_in_transaction_session_timeout')")) {
            connection.setAutoCommit(false);
            Installation.execute(connection, "SET SESSION idle_in_transaction_session_timeout = '" + own + "'");
            connection.commit();

            try (ResultSet row = limit.executeQuery()) {
                assertThat(row.next()).isTrue();
                assertThat(row.getString(1)).isEqualTo(admitted);
            }
            connection.commit();
        }
    }

    /** Its snapshot is older than a raise: the next transaction decides. */
    @Test
    void aTransactionToTryAgainIsToldAsTransientHoweverItWasAdmitted() throws SQLException {
        try (Connection within = DriverManager.getConnection(database.url())) {
            within.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            within.setAutoCommit(false);
            for (boolean together : new boolean[] {true, false}) {
                Installation.execute(within, "SELECT count(*) FROM ledger");
                Leader.raise(database, together ? 8 : 9);
                Connection late = FencedConnection.over(within, BILLING, SEVEN);

                assertThatThrownBy(() -> {
                            if (together) {
                                Leader.insert(late, "late");
                            } else {
                                Installation.execute(late, "INSERT INTO ledger(line) VALUES ('late')");
                            }
                        })
                        .isInstanceOfSatisfying(
                                SQLTransientException.class,
                                again -> assertThat(again.getSQLState()).isEqualTo("40001"));
                late.rollback();
                Leader.assertStale(() -> Leader.insert(late, "late"));
                late.rollback();
            }
        }
        assertThat(database.lines()).isEmpty();
    }

    @Test
    void itIsARoundTripOfItsOwnBeforeTextOfManyStatements() throws SQLException {
        String many = "INSERT INTO ledger(line) VALUES ('one'); INSERT INTO ledger(line) VALUES ('two')";
        try (Connection connection = fenced();
                PreparedStatement insert = connection.prepareStatement(many)) {
            connection.setAutoCommit(false);
            insert.execute();
            connection.commit();
        }
        assertThat(prepared).containsExactly(many, PostgresFence.admission(BILLING, SEVEN));
    }
}
