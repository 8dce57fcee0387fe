package dev.incumbent.fence.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A transaction on PostgreSQL that must wait for longer than a lease between two statements, and says so. */
@Tag("realtime")
@Timeout(120)
class PostgresIdleLimitTest {
    private static final String WAITS_LONG = "SET LOCAL idle_in_transaction_session_timeout = '1min'";
    private static final String LIMIT =
            "SELECT setting FROM pg_settings WHERE name = 'idle_in_transaction_session_timeout'";

    private final Database database = PostgresDatabase.create();

    @BeforeEach
    void raise() {
        Mark mark = new Mark(new FencingToken(7), MarkOwner.ofCandidate(new CandidateId("leader")));
        try (Sink sink = new SqlSinkProvider().open(database.url(), Duration.ofSeconds(20))) {
            assertThat(sink.raise(Leader.BILLING, mark, Duration.ofSeconds(3))
                            .toCompletableFuture()
                            .join())
                    .isEqualTo(new Raise.Raised(mark));
        }
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void aPlainClientSaysSoAfterItsAdmissionAndOutlastsTheLease() throws Exception {
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            Installation.execute(connection, "SELECT incumbent.admit('billing', 7::bigint)");
            assertThat(answer(connection)).isEqualTo("3000");
            Installation.execute(connection, WAITS_LONG);

            awaitIdleForFourSeconds();

            Leader.insert(connection, "in time");
            connection.commit();
            assertThat(answer(connection)).isEqualTo("0");
            connection.rollback();
        }
        assertThat(database.lines()).containsExactly("in time");
    }

    @Test
    void aFencedConnectionSaysSoDirectlyBeforeItWaitsBecauseTheNextStatementSetsTheLimitAgain() throws Exception {
        try (Connection connection = Leader.ofTerm7(database.connect())) {
            Leader.insert(connection, "in time");
            Installation.execute(connection, WAITS_LONG);

            awaitIdleForFourSeconds();

            Leader.insert(connection, "in time, too");
            assertThat(answer(connection)).isEqualTo("3000");
            connection.commit();
        }
        assertThat(database.lines()).containsExactly("in time", "in time, too");
    }

    /** What is said before the admission is not in force after it. */
    @Test
    void whoSaysSoBeforeTheAdmissionIsEndedAllTheSame() throws Exception {
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            Installation.execute(connection, WAITS_LONG);
            Installation.execute(connection, "SELECT incumbent.admit('billing', 7::bigint)");

            await(
                    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                            + " AND state LIKE 'idle in transaction%'",
                    "0");

            assertThatThrownBy(() -> Leader.insert(connection, "late")).isInstanceOf(SQLException.class);
        }
        assertThat(database.lines()).isEmpty();
    }

    private void awaitIdleForFourSeconds() {
        await(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                        + " AND state = 'idle in transaction' AND clock_timestamp() - state_change > interval '4 s'",
                "1");
    }

    private void await(String query, String expected) {
        while (!database.column(query).equals(List.of(expected))) {
            LockSupport.parkNanos(50_000_000);
        }
    }

    private static String answer(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(LIMIT)) {
            row.next();
            return row.getString(1);
        }
    }
}
