package dev.incumbent.calls;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The clock by which calls run out of time: a coordinator's timeline, or the JDK's. Thread-safe. */
@FunctionalInterface
public interface Deadlines {
    /** Runs a task at that instant of its clock, or at once if that has passed; the task never blocks. What is returned takes it back. */
    Runnable at(long nanos, Runnable task);

    /** By {@link System#nanoTime}, on a thread that the JDK has for this. */
    static Deadlines ofTheJdk() {
        return (nanos, task) -> {
            CompletableFuture<Boolean> rung = new CompletableFuture<Boolean>()
                    .completeOnTimeout(true, Math.max(0, nanos - System.nanoTime()), TimeUnit.NANOSECONDS);
            CompletableFuture<Void> unused = rung.thenAccept(isTime -> {
                if (isTime) {
                    task.run();
                }
            });
            return () -> rung.complete(false);
        };
    }
}
