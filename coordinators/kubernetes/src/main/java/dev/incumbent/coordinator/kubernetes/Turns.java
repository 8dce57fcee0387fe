package dev.incumbent.coordinator.kubernetes;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** Runs what comes from several threads one at a time, in order, on whichever of them is there; never waits. */
final class Turns {
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();

    void take(Runnable turn) {
        waiting.add(turn);
        if (count.getAndIncrement() != 0) {
            return;
        }
        do {
            Runnable next = waiting.poll();
            if (next != null) {
                run(next);
            }
        } while (count.decrementAndGet() > 0);
    }

    private static void run(Runnable turn) {
        try {
            turn.run();
        } catch (RuntimeException e) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
        }
    }
}
