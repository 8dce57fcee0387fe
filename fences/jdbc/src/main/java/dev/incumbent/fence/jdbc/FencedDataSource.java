package dev.incumbent.fence.jdbc;

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
 * A data source that fences existing code without changing it: each transaction on its connections is admitted before its first statement, on PostgreSQL in
 * the very round trip of a prepared one.
 *
 * <p>The token travels with the connection: it is asked for when the connection is taken, and stays until it is closed, so that what was begun in an old term
 * is refused in the next one. In autocommit each statement becomes a transaction of its own, admission included. A refusal is an {@link SQLException} with
 * SQLSTATE {@code IF001} (stale) or {@code IF002} (not raised), whose cause is the fence's own exception; where the sink asks to try again, it is an
 * {@link java.sql.SQLTransientException} with {@code 40001}. As thread-safe as the data source within. Put it around the pool, not inside.
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

    /** Over a data source; {@code token} is asked for at each connection, such as {@code leadership::token}. What it throws goes to who asks for a connection. */
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

    /** Only what it is itself: the data source within is not fenced. */
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
