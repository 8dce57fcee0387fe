package dev.incumbent.wire;

import java.util.concurrent.Flow;

/** How many pieces of a body its reader has asked for and was not given yet. Thread-safe. */
final class DemandedPieces implements Flow.Subscription {
    private final Runnable whenCancelled;

    /** Guarded by this. */
    private long demand;

    private boolean cancelled;

    DemandedPieces(Runnable whenCancelled) {
        this.whenCancelled = whenCancelled;
    }

    /** Waits until one more is wanted; false once none is. */
    synchronized boolean await() {
        try {
            while (demand == 0 && !cancelled) {
                wait();
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
            return false;
        }
        demand--;
        return !cancelled;
    }

    @Override
    public synchronized void request(long more) {
        demand = demand + more < 0 ? Long.MAX_VALUE : demand + more;
        notifyAll();
    }

    @Override
    public void cancel() {
        synchronized (this) {
            cancelled = true;
            notifyAll();
        }
        whenCancelled.run();
    }
}
