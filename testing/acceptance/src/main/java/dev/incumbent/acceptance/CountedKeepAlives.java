package dev.incumbent.acceptance;

import dev.incumbent.coordinator.Coordinator;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicLong;

/** A coordinator's client of which the keep-alives are counted. Thread-safe. */
final class CountedKeepAlives {
    private final AtomicLong count = new AtomicLong();
    private final Coordinator coordinator;

    CountedKeepAlives(Coordinator counted) {
        this.coordinator = (Coordinator) Proxy.newProxyInstance(
                CountedKeepAlives.class.getClassLoader(),
                new Class<?>[] {Coordinator.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("keepAlive")) {
                        count.incrementAndGet();
                    }
                    try {
                        return method.invoke(counted, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    Coordinator coordinator() {
        return coordinator;
    }

    long count() {
        return count.get();
    }
}
