package dev.incumbent.fence.jdbc;

import dev.incumbent.fence.Fence;
import dev.incumbent.fence.FenceException;
import dev.incumbent.fence.NotAdmittedException;
import dev.incumbent.fence.NotRaisedException;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One connection that admits each of its transactions before the first statement. Used by one thread at a time, as connections are. */
final class FencedConnection implements InvocationHandler {
    /** Statements that leave the transaction under way as it is. After any other, which may have ended it, the next one is admitted again. */
    private static final Set<String> STAYS =
            Set.of("select", "insert", "update", "delete", "replace", "merge", "with", "values", "show", "explain");

    /** After these the admission is void. */
    private static final Set<String> ENDS = Set.of("commit", "rollback", "setAutoCommit", "close", "abort");

    private final Connection within;
    private final Fence fence;
    private final ElectionName election;
    private final FencingToken token;
    private boolean admitted;

    private FencedConnection(Connection within, ElectionName election, FencingToken token) throws SQLException {
        this.within = within;
        this.fence = JdbcFence.over(within);
        this.election = election;
        this.token = token;
    }

    static Connection over(Connection within, ElectionName election, FencingToken token) throws SQLException {
        boolean done = false;
        try {
            Connection fenced = proxy(Connection.class, new FencedConnection(within, election, token));
            done = true;
            return fenced;
        } finally {
            if (!done) {
                within.close();
            }
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        switch (method.getName()) {
            case "unwrap", "isWrapperFor" -> {
                return unwrapped(proxy, method, arguments);
            }
            case "equals" -> {
                return arguments != null && arguments[0] == proxy;
            }
            case "hashCode" -> {
                return System.identityHashCode(proxy);
            }
            case "setSavepoint" -> admit(); // a rollback to it would take a later admission back
            default -> {}
        }
        Object result = call(within, method, arguments);
        if (ENDS.contains(method.getName())) {
            admitted = false;
        }
        return result instanceof Statement statement ? fenced((Connection) proxy, statement, arguments) : result;
    }

    private Object unwrapped(Object proxy, Method method, @Nullable Object @Nullable [] arguments) throws SQLException {
        Class<?> type = arguments == null ? Object.class : (Class<?>) arguments[0];
        boolean isIt = type != null && type.isInstance(proxy);
        if (method.getName().equals("isWrapperFor")) {
            return isIt;
        }
        if (!isIt) {
            throw new SQLException("a fenced connection does not give away the one within, which is not fenced");
        }
        return proxy;
    }

    private Statement fenced(Connection owner, Statement statement, @Nullable Object @Nullable [] arguments)
            throws SQLException {
        if (statement.getResultSetConcurrency() == ResultSet.CONCUR_UPDATABLE) {
            statement.close();
            throw new SQLException("updatable results write behind the fence's back", "0A000");
        }
        String prepared = arguments != null && arguments.length > 0 && arguments[0] instanceof String sql ? sql : "";
        InvocationHandler handler = (proxy, method, given) -> onStatement(owner, statement, prepared, method, given);
        if (statement instanceof CallableStatement) {
            return proxy(CallableStatement.class, handler);
        }
        return statement instanceof PreparedStatement
                ? proxy(PreparedStatement.class, handler)
                : proxy(Statement.class, handler);
    }

    private @Nullable Object onStatement(
            Connection owner,
            Statement statement,
            String prepared,
            Method method,
            @Nullable Object @Nullable [] arguments)
            throws Throwable {
        if (method.getName().equals("getConnection")) {
            return owner;
        }
        if (method.getName().equals("unwrap")) {
            throw new SQLException("a fenced statement does not give away the one within");
        }
        if (!method.getName().startsWith("execute")) {
            return call(statement, method, arguments);
        }
        String sql = arguments != null && arguments.length > 0 && arguments[0] instanceof String text ? text : prepared;
        return within.getAutoCommit()
                ? executedAlone(statement, method, arguments)
                : executed(sql, statement, method, arguments);
    }

    private @Nullable Object executed(
            String sql, Statement statement, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        admit();
        try {
            return call(statement, method, arguments);
        } finally {
            admitted = STAYS.contains(firstWord(sql));
        }
    }

    /** As a transaction of its own; what it answers is read whole before the commit. */
    private @Nullable Object executedAlone(Statement statement, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        within.setAutoCommit(false);
        boolean done = false;
        int fetchSize = statement.getFetchSize();
        try {
            admit();
            if (fetchSize != 0) {
                statement.setFetchSize(0);
            }
            Object answer = call(statement, method, arguments);
            within.commit();
            done = true;
            return answer;
        } finally {
            admitted = false;
            if (!done) {
                rollBackQuietly();
            }
            if (!within.isClosed()) {
                within.setAutoCommit(true);
                if (fetchSize != 0) {
                    statement.setFetchSize(fetchSize);
                }
            }
        }
    }

    private void rollBackQuietly() {
        try {
            within.rollback();
        } catch (SQLException theFirstFailureIsTold) {
            admitted = false;
        }
    }

    /** A batch of text has no first word that is known, and counts as what may have ended its transaction. */
    private static String firstWord(String sql) {
        String[] words =
                sql.replaceFirst("^(\\s|\\(|--.*\\R|/\\*(?s:.*?)\\*/)+", "").split("[^A-Za-z]", 2);
        return words[0].toLowerCase(Locale.ROOT);
    }

    private void admit() throws SQLException {
        if (admitted || within.getAutoCommit()) {
            return;
        }
        try {
            fence.admit(election, token);
            admitted = true;
        } catch (StaleTokenException stale) {
            throw new SQLException(stale.getMessage(), "IF001", stale);
        } catch (NotRaisedException notRaised) {
            throw new SQLException(notRaised.getMessage(), "IF002", notRaised);
        } catch (NotAdmittedException again) {
            throw new SQLTransientException(again.getMessage(), "40001", again);
        } catch (FenceException refusal) {
            throw new SQLException(refusal.getMessage(), "IF003", refusal);
        }
    }

    private static @Nullable Object call(Object on, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(on, arguments);
        } catch (InvocationTargetException failure) {
            throw failure.getCause() == null ? failure : failure.getCause();
        }
    }

    @Override
    public String toString() {
        return "fenced for token " + token + " of " + election + ": " + Arrays.asList(within);
    }
}
