package dev.incumbent.internal;

/**
 * Makes the threads that tasks run on: virtual ones where a {@code synchronized} block does not pin them to a thread of the platform, which is so from Java 24 on (JEP
 * 491); else daemons of the platform.
 */
final class TaskThreads {
    private static final int FIRST_THAT_PINS_NONE = 24;
    private static final boolean ARE_VIRTUAL = areVirtualOn(Runtime.version().feature());

    private TaskThreads() {}

    static Thread unstarted(String name, Runnable task) {
        Thread thread = ARE_VIRTUAL ? virtual(task) : platform(task);
        thread.setName(name);
        return thread;
    }

    static boolean areVirtualOn(int javaVersion) {
        return javaVersion >= FIRST_THAT_PINS_NONE;
    }

    /** One of the platform where there are none. */
    static Thread virtual(Runnable task) {
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
