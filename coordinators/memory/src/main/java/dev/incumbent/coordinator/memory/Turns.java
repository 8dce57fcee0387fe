package dev.incumbent.coordinator.memory;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** Runs what it is handed one at a time, in order, on the threads that hand it over: who comes while another one runs leaves its own to that one. */
final class Turns {
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();

    void take(Runnable turn) {
        if (count.compareAndSet(0, 1)) {
            run(turn);
        } else {
            waiting.add(turn);
            if (count.getAndIncrement() > 0) {
                return;
            }
            run(waiting.remove());
        }
        while (count.decrementAndGet() > 0) {
            run(waiting.remove());
        }
    }

    /** A turn that throws is told to its thread's handler, and does not keep the next one from its turn. */
    private static void run(Runnable turn) {
        try {
            turn.run();
        } catch (RuntimeException | Error e) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
        }
    }
}
