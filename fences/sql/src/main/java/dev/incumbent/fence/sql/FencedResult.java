package dev.incumbent.fence.sql;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Array;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * Rows, or what is told of the database, by way of a fenced connection: leads back to that one, and not to the one within. A failure while rows are fetched may
 * have ended the transaction. Used by one thread at a time.
 */
final class FencedResult implements InvocationHandler {
    private final Object within;
    private final Source source;

    /** Where it comes from; no statement where the connection itself was asked. */
    record Source(Connection connection, @Nullable Statement statement, Admission admission) {}

    private FencedResult(Object within, Source source) {
        this.within = within;
        this.source = source;
    }

    static <T> T over(Class<T> type, T within, Source source) {
        return Calls.proxy(type, new FencedResult(within, source));
    }

    /** An answer that leads back to the source, where it is one that leads anywhere: an array has rows, too. */
    static @Nullable Object fenced(@Nullable Object answer, Source source) {
        if (answer instanceof ResultSet rows) {
            return over(ResultSet.class, rows, source);
        }
        return answer instanceof Array array ? over(Array.class, array, source) : answer;
    }

    /** What a driver is given in the place of an array of ours: its own. */
    static @Nullable Object plain(@Nullable Object argument) {
        return argument instanceof Array
                        && Proxy.isProxyClass(argument.getClass())
                        && Proxy.getInvocationHandler(argument) instanceof FencedResult ours
                ? ours.within
                : argument;
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        if (Calls.isOfTheProxy(method)) {
            return Calls.ofTheProxy(proxy, method, arguments);
        }
        switch (method.getName()) {
            case "getConnection" -> {
                return source.connection;
            }
            case "getStatement" -> {
                return source.statement;
            }
            default -> {}
        }
        try {
            return fenced(Calls.call(within, method, arguments), source);
        } catch (Throwable failure) {
            source.admission.doubted();
            throw failure;
        }
    }
}
