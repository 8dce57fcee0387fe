package dev.incumbent.coordinator.sql;

import dev.incumbent.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.Optional;

/**
 * One connection to a database server, in autocommit: each statement is a transaction of its own. Confined to one thread, save {@link #abort()}.
 *
 * @param ending how the connection ends
 * @param isPooled does a pooler lie between
 * @param generation which of the server's lives it was opened in, as far as known
 */
record ServerSession(
        Connection connection, ServerSource.Ending ending, Sql sql, Dialect dialect, boolean isPooled, long generation)
        implements AutoCloseable {

    /** Bounds the wait for an answer to the statements to come. */
    void bound(Duration longest) throws SQLException {
        try {
            connection.setNetworkTimeout(Runnable::run, (int) Math.max(1, longest.toMillis()));
        } catch (SQLFeatureNotSupportedException noNetwork) {
            // H2 in this process answers or throws.
        }
    }

    /** Runs what changes rows; how many it changed. What was overtaken by another write is sent once more: that one may be of this same client, and asks for the same. */
    int write(String change, Object... arguments) throws SQLException {
        try {
            return written(change, arguments);
        } catch (SQLException e) {
            if (!dialect.isOvertaken(e)) {
                throw e;
            }
            return written(change, arguments);
        }
    }

    /** Behind a pooler no setting of ours outlives a transaction: there each write says that it is to be durable. */
    private int written(String change, Object... arguments) throws SQLException {
        Optional<String> durably = isPooled ? dialect.durably(change) : Optional.empty();
        return durably.isPresent()
                ? sql.query(durably.get(), row -> true, arguments).size()
                : sql.update(change, arguments);
    }

    /** Ends it while its thread may wait for an answer, which then ends too. */
    void abort() {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException e) {
            // It is gone already.
        }
    }

    /** Ends it. One of an earlier life of the server's is not given back to its lender: it is likely to be broken, or to lead to what is a standby now. */
    void leave(long generation) {
        if (generation == this.generation) {
            close();
            return;
        }
        try {
            ending.abandon();
        } catch (SQLException e) {
            // It is gone already.
        }
    }

    @Override
    public void close() {
        try {
            ending.end();
        } catch (SQLException e) {
            // What it acknowledged is with the server; nothing else is owed.
        }
    }
}
