package dev.incumbent.fence.sql;

import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** One connection that admits each of its transactions before, or together with, the first statement. Used by one thread at a time, as connections are. */
final class FencedConnection implements InvocationHandler {
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
        if (method.getName().equals("toString")) {
            return admission + ": " + within;
        }
        if (Calls.isOfTheProxy(method)) {
            return Calls.ofTheProxy(proxy, method, arguments);
        }
        try {
            return fenced((Connection) proxy, method, arguments == null ? new Object[0] : arguments);
        } catch (Throwable failure) {
            admission.doubted();
            throw failure;
        }
    }

    private @Nullable Object fenced(Connection proxy, Method method, @Nullable Object[] arguments) throws Throwable {
        switch (method.getName()) {
            case "prepareStatement", "prepareCall" -> admission.fenceable(String.valueOf(arguments[0]));
            case "setSavepoint" -> admission.admit(); // a rollback to it would take a later admission back
            case "commit", "setTransactionIsolation" -> admission.confirm(); // which commits, too, on some servers
            case "setAutoCommit" -> {
                return autoCommitSet(method, arguments);
            }
            case "rollback" -> {
                if (arguments.length == 0) {
                    admission.rollBack();
                    return null;
                }
            }
            default -> {}
        }
        Object result = Calls.call(within, method, arguments);
        note(method.getName());
        if (result instanceof Statement statement) {
            return FencedStatement.over(proxy, within, admission, statement, arguments);
        }
        FencedResult.Source source = new FencedResult.Source(proxy, null, admission);
        return result instanceof DatabaseMetaData data
                ? FencedResult.over(DatabaseMetaData.class, data, source)
                : FencedResult.fenced(result, source);
    }

    /** It commits what is under way, and does nothing where it was set so before. */
    private @Nullable Object autoCommitSet(Method method, @Nullable Object[] arguments) throws Throwable {
        if (within.getAutoCommit() == Boolean.TRUE.equals(arguments[0])) {
            return null;
        }
        admission.confirm();
        Object result = Calls.call(within, method, arguments);
        admission.committed();
        return result;
    }

    /** What becomes of the transaction by a call that did not fail. A setting of the connection commits on some servers. */
    private void note(String called) throws SQLException {
        if (called.equals("commit")) {
            admission.committed();
        } else if (called.equals("rollback") || (called.startsWith("set") && !called.equals("setSavepoint"))) {
            admission.doubted();
        }
    }
}
