package dev.incumbent.fence.sql;

import dev.incumbent.fence.Fence;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * The fence of the database behind a connection.
 *
 * <p>Turn autocommit off. In each transaction, call {@code admit} first, on the same connection that writes; then write, then commit. After any exception, roll
 * back. A fence is as thread-safe as its connection, and blocks as long as the connection does.
 */
public final class JdbcFence {
    private JdbcFence() {}

    /**
     * The fence for transactions of this connection. Keep it as long as the connection: on SQLite this saves the compilation of statements.
     *
     * <p>On SQLite each admission also checks that the files under the database's names are those that the connection has open. They may be deleted or replaced between
     * admission and commit: {@link #around} and {@link FencedDataSource} check that before each commit.
     */
    public static Fence over(Connection connection) throws SQLException {
        return dialect(connection).fence(connection);
    }

    /**
     * Wraps a connection as {@link FencedDataSource} does: each transaction is admitted before its first statement. On PostgreSQL, if that statement is
     * prepared from its text alone, the admission needs no round trip of its own. On SQLite each commit is checked, too: it fails with SQLSTATE {@code 08006} where
     * the database's files were deleted or replaced, or its lock is gone, and with {@code 08007} where that happened during the commit. Closing the wrapper closes
     * the connection.
     */
    public static Connection around(Connection connection, ElectionName election, FencingToken token)
            throws SQLException {
        return FencedConnection.over(connection, election, token);
    }

    static Dialect dialect(Connection connection) throws SQLException {
        String url = connection.getMetaData().getURL();
        return SqlSinkProvider.DIALECTS.stream()
                .filter(dialect -> dialect.opens(url))
                .findFirst()
                .orElseThrow(() -> new SQLException("no fence is known for " + url.replaceAll("[?;].*", "")));
    }
}
