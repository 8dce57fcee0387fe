package dev.incumbent.fence.jdbc;

import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One connection that admits each of its transactions before, or together with, the first statement. Used by one thread at a time, as connections are. */
final class FencedConnection implements InvocationHandler {
    /** After these the admission is void. */
    private static final Set<String> ENDS = Set.of("commit", "rollback", "setAutoCommit", "close", "abort");

    private final Connection within;
    private final Admission admission;

    private FencedConnection(Connection within, ElectionName election, FencingToken token) throws SQLException {
        this.within = within;
        this.admission = new Admission(within, election, token);
    }

    static Connection over(Connection within, ElectionName election, FencingToken token) throws SQLException {
        boolean done = false;
        try {
            Connection fenced = Calls.proxy(Connection.class, new FencedConnection(within, election, token));
            done = true;
            return fenced;
        } finally {
            if (!done) {
                within.close();
            }
        }
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
            case "toString" -> {
                return admission + ": " + within;
            }
            case "setSavepoint" -> admission.admit(); // a rollback to it would take a later admission back
            default -> {}
        }
        Object result = Calls.call(within, method, arguments);
        if (ENDS.contains(method.getName())) {
            admission.ended();
        }
        return result instanceof Statement statement
                ? FencedStatement.over(
                        (Connection) proxy, within, admission, statement, arguments == null ? new Object[0] : arguments)
                : result;
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
}
