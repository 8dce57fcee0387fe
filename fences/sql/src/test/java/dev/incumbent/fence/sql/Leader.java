package dev.incumbent.fence.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** A leader's code over a fenced connection, and those who raise beside it. */
final class Leader {
    static final ElectionName BILLING = new ElectionName("billing");

    private Leader() {}

    /** A fenced connection of term 7, autocommit off. */
    static Connection ofTerm7(Connection within) throws SQLException {
        Connection fenced = FencedConnection.over(within, BILLING, new FencingToken(7));
        fenced.setAutoCommit(false);
        return fenced;
    }

    static void raise(Database database, long to) {
        raise(database.url(), to);
    }

    static void raise(String url, long to) {
        Mark mark = new Mark(new FencingToken(to), MarkOwner.ofOperator("me"));
        try (Sink sink = new SqlSinkProvider().open(url, Duration.ofSeconds(60))) {
            assertThat(sink.raise(BILLING, mark).toCompletableFuture().join()).isEqualTo(new Raise.Raised(mark));
        }
    }

    static void insert(Connection connection, String line) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO ledger(line) VALUES (?)")) {
            insert.setString(1, line);
            insert.executeUpdate();
        }
    }

    static void assertStale(ThrowingCallable write) {
        assertThatThrownBy(write)
                .isInstanceOf(SQLException.class)
                .hasCauseInstanceOf(StaleTokenException.class)
                .satisfies(failure ->
                        assertThat(((SQLException) failure).getSQLState()).isEqualTo("IF001"));
    }
}
