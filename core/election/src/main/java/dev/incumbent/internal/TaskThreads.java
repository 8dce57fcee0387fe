package dev.incumbent.internal;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Optional;

/** Makes the threads that tasks run on: virtual ones where the JVM has them, else daemons of the platform. */
final class TaskThreads {
    private static final Optional<Method> OF_VIRTUAL = find("java.lang.Thread", "ofVirtual");
    private static final Optional<Method> UNSTARTED = find("java.lang.Thread$Builder", "unstarted", Runnable.class);

    private TaskThreads() {}

    static Thread unstarted(String name, Runnable task) {
        Thread thread = OF_VIRTUAL.isPresent() && UNSTARTED.isPresent() ? virtual(task) : platform(task);
        thread.setName(name);
        return thread;
    }

    private static Thread virtual(Runnable task) {
        try {
            Object builder = OF_VIRTUAL.orElseThrow().invoke(null);
            return (Thread) UNSTARTED.orElseThrow().invoke(builder, task);
        } catch (IllegalAccessException | InvocationTargetException e) {
            return platform(task);
        }
    }

    private static Thread platform(Runnable task) {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        return thread;
    }

    private static Optional<Method> find(String type, String name, Class<?>... parameters) {
        try {
            return Optional.of(Class.forName(type).getMethod(name, parameters));
        } catch (ClassNotFoundException | NoSuchMethodException olderThan21) {
            return Optional.empty();
        }
    }
}
