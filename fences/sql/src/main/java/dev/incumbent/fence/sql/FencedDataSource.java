package dev.incumbent.fence.sql;

import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.function.Supplier;
import java.util.logging.Logger;
import javax.sql.DataSource;

/**
 * A data source that fences existing code without changing it. Each transaction on its connections is admitted before its first statement. On PostgreSQL, if
 * that statement is prepared, the admission needs no round trip of its own.
 *
 * <p>A connection keeps its token: the token is read when the connection is taken, and stays until the connection is closed. So work that began in an old term
 * is refused in the next term. In autocommit, each statement becomes a transaction of its own, with its own admission. A refusal is an {@link SQLException}
 * with SQLSTATE {@code IF001} (stale) or {@code IF002} (not raised); its cause is the fence's own exception. If the transaction should be tried again, the
 * exception is an {@link java.sql.SQLTransientException} with {@code 40001}. This class is as thread-safe as the wrapped data source. Wrap the pool with it; do
 * not put it inside the pool, because a pooled connection would then keep the token of an old term.
 *
 * <p>On SQLite each commit is checked, too, since the database's files may be deleted or replaced, and its lock may be gone: see {@link JdbcFence#around}.
 *
 * <p>Some statements cannot be fenced, such as DDL on MariaDB and H2. They fail with {@code 0A000} before anything is sent.
 */
public final class FencedDataSource implements DataSource {
    private final DataSource within;
    private final ElectionName election;
    private final Supplier<FencingToken> token;

    private FencedDataSource(DataSource within, ElectionName election, Supplier<FencingToken> token) {
        this.within = within;
        this.election = election;
        this.token = token;
    }

    /**
     * Wraps a data source. {@code token} is called each time a connection is taken; in a task it is {@code leadership::token}. If it throws, {@code getConnection}
     * throws the same exception.
     */
    public static FencedDataSource over(DataSource within, ElectionName election, Supplier<FencingToken> token) {
        return new FencedDataSource(within, election, token);
    }

    @Override
    public Connection getConnection() throws SQLException {
        FencingToken borne = token.get();
        return FencedConnection.over(within.getConnection(), election, borne);
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        FencingToken borne = token.get();
        return FencedConnection.over(within.getConnection(user, password), election, borne);
    }

    @Override
    public PrintWriter getLogWriter() throws SQLException {
        return within.getLogWriter();
    }

    @Override
    public void setLogWriter(PrintWriter out) throws SQLException {
        within.setLogWriter(out);
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        within.setLoginTimeout(seconds);
    }

    @Override
    public int getLoginTimeout() throws SQLException {
        return within.getLoginTimeout();
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        return within.getParentLogger();
    }

    /** Returns only this object itself, because the wrapped data source is not fenced. */
    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        if (type.isInstance(this)) {
            return type.cast(this);
        }
        throw new SQLException("a fenced data source does not give away a " + type.getName());
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return type.isInstance(this);
    }
}
