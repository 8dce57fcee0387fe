package dev.incumbent.fence.jdbc;

import dev.incumbent.fence.Fence;
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
        String url = connection.getMetaData().getURL();
        return JdbcSinkProvider.DIALECTS.stream()
                .filter(dialect -> dialect.opens(url))
                .findFirst()
                .orElseThrow(() -> new SQLException("no fence is known for " + url.replaceAll("[?;].*", "")))
                .fence(connection);
    }
}
