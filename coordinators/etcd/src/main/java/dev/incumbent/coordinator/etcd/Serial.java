package dev.incumbent.coordinator.etcd;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** Runs turns one at a time, in the order of their coming, on whichever thread brought the first. A turn that throws stops no other. */
final class Serial {
    private final Queue<Runnable> turns = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();

    void run(Runnable turn) {
        turns.add(turn);
        if (waiting.getAndIncrement() > 0) {
            return;
        }
        do {
            runNext();
        } while (waiting.decrementAndGet() > 0);
    }

    private void runNext() {
        Runnable next = turns.remove();
        try {
            next.run();
        } catch (RuntimeException e) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
        }
    }
}
