package dev.incumbent.internal;

/**
 * Makes the threads that tasks run on: virtual ones where a {@code synchronized} block does not pin them to a thread of the platform, which is so from Java 24 on (JEP
 * 491); else daemons of the platform.
 */
final class TaskThreads {
    private static final boolean ARE_VIRTUAL = Runtime.version().feature() >= 24;

    private TaskThreads() {}

    static Thread unstarted(String name, Runnable task) {
        Thread thread = ARE_VIRTUAL ? virtual(task) : platform(task);
        thread.setName(name);
        return thread;
    }

    private static Thread virtual(Runnable task) {
        try {
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            return (Thread) Class.forName("java.lang.Thread$Builder")
                    .getMethod("unstarted", Runnable.class)
                    .invoke(builder, task);
        } catch (ReflectiveOperationException noSuchJvm) {
            return platform(task);
        }
    }

    private static Thread platform(Runnable task) {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        return thread;
    }
}
