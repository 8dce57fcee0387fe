package dev.incumbent.fence.sql;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One statement of a fenced connection: whatever it executes, its transaction is admitted before. Used by one thread at a time, but for {@code cancel}. */
final class FencedStatement implements InvocationHandler {
    /** About what was executed last. */
    private static final Set<String> OF_THE_LAST = Set.of(
            "getResultSet",
            "getUpdateCount",
            "getLargeUpdateCount",
            "getMoreResults",
            "getWarnings",
            "clearWarnings",
            "cancel");

    /** PostgreSQL's driver writes a large object when it is bound. */
    private static final Set<String> WRITES_LARGE_OBJECTS = Set.of("setBlob", "setClob", "setNClob");

    private final Connection owner;
    private final Connection within;
    private final Admission admission;
    private final Statement plain;
    private final StatementTexts texts;
    private final Optional<CarriedAdmission> carried;
    private volatile Statement last;

    private FencedStatement(
            Connection owner, Connection within, Admission admission, Statement plain, @Nullable Object[] arguments)
            throws SQLException {
        this.owner = owner;
        this.within = within;
        this.admission = admission;
        this.plain = plain;
        this.last = plain;
        this.texts = new StatementTexts(admission, arguments);
        this.carried = plain instanceof PreparedStatement statement && !(plain instanceof CallableStatement)
                ? CarriedAdmission.before(statement, arguments, admission, within)
                : Optional.empty();
    }

    /** Over a statement that {@code within} has just made from these arguments. */
    static Statement over(
            Connection owner, Connection within, Admission admission, Statement plain, @Nullable Object[] arguments)
            throws SQLException {
        if (plain.getResultSetConcurrency() == ResultSet.CONCUR_UPDATABLE) {
            plain.close();
            throw new SQLException("updatable results write behind the fence's back", "0A000");
        }
        FencedStatement fenced = new FencedStatement(owner, within, admission, plain, arguments);
        if (plain instanceof CallableStatement) {
            return Calls.proxy(CallableStatement.class, fenced);
        }
        return plain instanceof PreparedStatement
                ? Calls.proxy(PreparedStatement.class, fenced)
                : Calls.proxy(Statement.class, fenced);
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        if (Calls.isOfTheProxy(method)) {
            return Calls.ofTheProxy(proxy, method, arguments);
        }
        if (method.getName().equals("getConnection")) {
            return owner;
        }
        try {
            return FencedResult.fenced(
                    fenced(method, arguments), new FencedResult.Source(owner, (Statement) proxy, admission));
        } catch (Throwable failure) {
            admission.doubted();
            throw failure;
        }
    }

    private @Nullable Object fenced(Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        if (method.getName().startsWith("execute")) {
            SqlText.Effect effect = texts.executing(arguments, within.getAutoCommit());
            return within.getAutoCommit()
                    ? executedAlone(effect, method, arguments)
                    : executed(effect, method, arguments);
        }
        if (WRITES_LARGE_OBJECTS.contains(method.getName())) {
            admission.admit();
        }
        texts.learn(method, arguments);
        if (carried.isPresent()) {
            carried.get().learn(method, arguments);
        }
        return Calls.call(OF_THE_LAST.contains(method.getName()) ? last : plain, method, arguments);
    }

    private @Nullable Object executed(SqlText.Effect effect, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        if (carried.isPresent() && carried.get().executes(method, arguments) && admission.isDue()) {
            return executedTogether(carried.get(), effect, method);
        }
        admission.admit();
        last = plain;
        return admission.executing(effect, () -> Calls.call(plain, method, arguments));
    }

    private @Nullable Object executedTogether(CarriedAdmission carrying, SqlText.Effect effect, Method method)
            throws Throwable {
        PreparedStatement ready = carrying.ready();
        last = ready;
        try {
            Object answer = carrying.execute(ready, method);
            admission.executed(effect);
            return answer;
        } catch (SQLException failure) {
            throw admission.told(failure);
        }
    }

    /** As a transaction of its own; what it answers is read whole before the commit. */
    private @Nullable Object executedAlone(
            SqlText.Effect effect, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        within.setAutoCommit(false);
        boolean done = false;
        int fetchSize = plain.getFetchSize();
        try {
            if (fetchSize != 0) {
                plain.setFetchSize(0);
            }
            Object answer = executed(effect, method, arguments);
            admission.confirm();
            within.commit();
            done = true;
            admission.committed();
            return answer;
        } finally {
            if (!done) {
                rollBackOrEnd();
            }
            admission.ended();
            if (!within.isClosed()) {
                within.setAutoCommit(true);
                if (fetchSize != 0) {
                    plain.setFetchSize(fetchSize);
                }
            }
        }
    }

    /** Autocommit would commit what could not be rolled back. */
    private void rollBackOrEnd() throws SQLException {
        try {
            admission.rollBack();
        } catch (SQLException theFirstFailureIsTold) {
            within.abort(Runnable::run);
        }
    }
}
