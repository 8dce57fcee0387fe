package dev.incumbent.fence.sql;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Calls that a proxy passes on, and those that it answers itself. */
final class Calls {
    private static final Set<String> OF_THE_PROXY = Set.of("equals", "hashCode", "unwrap", "isWrapperFor");

    private Calls() {}

    static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    /** Throws what the method throws. */
    static @Nullable Object call(Object on, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(on, plain(arguments));
        } catch (InvocationTargetException failure) {
            throw failure.getCause() == null ? failure : failure.getCause();
        }
    }

    /** Most calls bear neither an array nor a large object, and are to cost nothing. */
    private static @Nullable Object @Nullable [] plain(@Nullable Object @Nullable [] arguments) {
        @Nullable Object[] plain = arguments;
        for (int i = 0; plain != null && i < plain.length; i++) {
            if (FencedResult.isOurKind(plain[i])) {
                plain = plain == arguments ? plain.clone() : plain;
                plain[i] = FencedResult.plain(plain[i]);
            }
        }
        return plain;
    }

    /** Is it about the proxy itself, and not about what is within? */
    static boolean isOfTheProxy(Method method) {
        return OF_THE_PROXY.contains(method.getName());
    }

    /** Its identity, and that it gives nothing away that is not fenced. */
    static Object ofTheProxy(Object proxy, Method method, @Nullable Object @Nullable [] arguments) throws SQLException {
        if (method.getName().equals("hashCode")) {
            return System.identityHashCode(proxy);
        }
        Object asked = arguments == null ? null : arguments[0];
        if (method.getName().equals("equals")) {
            return asked == proxy;
        }
        boolean isIt = asked instanceof Class<?> type && type.isInstance(proxy);
        if (method.getName().equals("isWrapperFor")) {
            return isIt;
        }
        if (!isIt) {
            throw new SQLException("what is fenced does not give away what is within, which is not fenced");
        }
        return proxy;
    }
}
