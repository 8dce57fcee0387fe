package dev.incumbent.calls;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The clock by which calls run out of time: a coordinator's timeline, or none but the JDK's timer. Thread-safe. */
@FunctionalInterface
public interface Deadlines {
    /** Runs a task at that instant of its clock, or at once if that has passed; the task never blocks. What is returned takes it back. */
    Runnable at(long nanos, Runnable task);

    /** From now on: a clock that shows 0 whenever it is asked, so that a deadline is a length of time. On a thread that the JDK has for this. */
    static Deadlines fromNow() {
        return (nanos, task) -> {
            CompletableFuture<Boolean> rung =
                    new CompletableFuture<Boolean>().completeOnTimeout(true, nanos, TimeUnit.NANOSECONDS);
            CompletableFuture<Void> unused = rung.thenAccept(isTime -> {
                if (isTime) {
                    task.run();
                }
            });
            return () -> rung.complete(false);
        };
    }
}
