package dev.incumbent.fence.sql;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.servers.PgBouncer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Behind a pooler in transaction mode: each transaction may have another session of the server, and each session serves other clients too. */
class PgBouncerFenceTest {
    private static final Duration LEASE = Duration.ofSeconds(9);

    private final PostgresDatabase database = PostgresDatabase.create();
    private final PgBouncer pooler = PgBouncer.before(PostgresDatabase.shared());
    private final String url = database.urlAt(pooler.port()) + "&prepareThreshold=0";

    @AfterEach
    void close() {
        pooler.close();
        database.close();
    }

    @Test
    void theFenceHoldsAndLeavesNothingOnThePoolersSessions() throws Exception {
        try (Sink sink = new SqlSinkProvider().open(url, Duration.ofSeconds(20));
                Connection leader = Leader.ofTerm7(connect());
                Connection other = connect()) {
            assertThat(raise(sink, 7).get(20, SECONDS)).isEqualTo(new Raise.Raised(mark(7)));
            Leader.insert(leader, "one");
            leader.commit();
            Leader.insert(leader, "two");

            CompletableFuture<Raise> raise = raise(sink, 8);
            assertThatThrownBy(() -> raise.get(300, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            leader.commit();

            assertThat(raise.get(20, SECONDS)).isEqualTo(new Raise.Raised(mark(8)));
            Leader.assertStale(() -> Leader.insert(leader, "late"));
            leader.rollback();
            for (String setting : new String[] {
                "idle_in_transaction_session_timeout",
                "client_connection_check_interval",
                "tcp_user_timeout",
                "lock_timeout"
            }) {
                assertThat(shown(other, setting)).as(setting).isEqualTo("0");
            }
        }
        assertThat(database.lines()).containsExactly("one", "two");
    }

    private static String shown(Connection connection, String setting) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SHOW " + setting)) {
            row.next();
            return row.getString(1);
        }
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(url);
    }

    private static CompletableFuture<Raise> raise(Sink sink, long to) {
        return sink.raise(Leader.BILLING, mark(to), LEASE).toCompletableFuture();
    }

    private static Mark mark(long token) {
        return new Mark(new FencingToken(token), MarkOwner.ofCandidate(new CandidateId("leader")));
    }
}
