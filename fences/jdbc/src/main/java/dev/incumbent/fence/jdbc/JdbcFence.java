package dev.incumbent.fence.jdbc;

import dev.incumbent.fence.Fence;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * The fence of the database behind a connection.
 *
 * <p>Admit first in each transaction, on the very connection that writes, with autocommit off; then write, then commit. After any exception roll back. As
 * thread-safe as the connection; blocks as long as the connection does.
 */
public final class JdbcFence {
    private JdbcFence() {}

    /** The fence for transactions of this connection; it may be kept as long as the connection, which on SQLite spares the compiling of statements. */
    public static Fence over(Connection connection) throws SQLException {
        return dialect(connection).fence(connection);
    }

    /**
     * A connection that does what this one does, and admits each transaction before its first statement; on PostgreSQL in the very round trip of that statement,
     * where it is prepared from its text alone. What {@link FencedDataSource} gives, for a connection that one has in hand; closing it closes this one.
     */
    public static Connection around(Connection connection, ElectionName election, FencingToken token)
            throws SQLException {
        return FencedConnection.over(connection, election, token);
    }

    static Dialect dialect(Connection connection) throws SQLException {
        String url = connection.getMetaData().getURL();
        return JdbcSinkProvider.DIALECTS.stream()
                .filter(dialect -> dialect.opens(url))
                .findFirst()
                .orElseThrow(() -> new SQLException("no fence is known for " + url.replaceAll("[?;].*", "")));
    }
}
