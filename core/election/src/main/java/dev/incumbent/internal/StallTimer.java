package dev.incumbent.internal;

import dev.incumbent.LastResort;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/** When the last resort of one task is taken: its timer shares no thread with renewal, as its stop timer does not. Thread-safe. */
final class StallTimer {
    private final CurrentLeadership leadership;
    private final LastResort lastResort;
    private final long budgetNanos;
    private final LeaseClock clock;
    private final Wakes.Wake timer;
    private final AtomicBoolean isTold = new AtomicBoolean();
    private volatile long dueAt;
    private volatile boolean hasReturned;

    StallTimer(CurrentLeadership leadership, LastResort lastResort, Duration budget, Ports ports) {
        this.leadership = leadership;
        this.lastResort = lastResort;
        this.budgetNanos = budget.toNanos();
        this.clock = ports.clock();
        this.timer = ports.stops().of(this::rung);
    }

    /** The task is told to stop. Its budget counts from when it should have been told, so that no pause makes it longer. */
    void toldToStop() {
        if (isTold.compareAndSet(false, true)) {
            dueAt = leadership.toldToStopBy(clock.nanos()) + budgetNanos;
            set();
        }
    }

    void returned() {
        hasReturned = true;
        timer.never();
    }

    private void set() {
        timer.at(clock.onTimeline(dueAt));
    }

    private void rung() {
        if (hasReturned) {
            return;
        }
        if (clock.nanos() - dueAt >= 0) {
            lastResort.take(leadership.term());
        } else {
            set();
        }
    }
}
