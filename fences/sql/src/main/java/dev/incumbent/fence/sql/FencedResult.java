package dev.incumbent.fence.sql;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Array;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.NClob;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows, or what is told of the database, by way of a fenced connection: leads back to that one, and not to the one within. A failure while rows are fetched may
 * have ended the transaction. Used by one thread at a time.
 */
final class FencedResult implements InvocationHandler {
    /** MariaDB's text is a {@link Blob}, too. */
    private static final List<Class<?>> KINDS =
            List.of(ResultSet.class, Array.class, NClob.class, Clob.class, Blob.class);

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

    /** An answer that leads back to the source, where it is one that leads anywhere: an array has rows, too, and a large object is written where it lies. */
    static @Nullable Object fenced(@Nullable Object answer, Source source) {
        for (Class<?> kind : KINDS) {
            if (kind.isInstance(answer)) {
                return Calls.proxy(kind, new FencedResult(answer, source));
            }
        }
        return answer;
    }

    /** May that be one of ours? */
    static boolean isOurKind(@Nullable Object argument) {
        return argument instanceof Array || argument instanceof Blob || argument instanceof Clob;
    }

    /** What a driver is given in the place of an array or a large object of ours: its own. */
    static @Nullable Object plain(@Nullable Object argument) {
        return argument != null
                        && isOurKind(argument)
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
            if (isWritten(method)) {
                source.admission.admit();
            }
            return fenced(Calls.call(within, method, arguments), source);
        } catch (Throwable failure) {
            source.admission.doubted();
            throw failure;
        }
    }

    /** PostgreSQL's large objects are written by calls of their own, and not by statements. */
    private boolean isWritten(Method method) {
        return (within instanceof Blob || within instanceof Clob)
                && (method.getName().startsWith("set") || method.getName().equals("truncate"));
    }
}
