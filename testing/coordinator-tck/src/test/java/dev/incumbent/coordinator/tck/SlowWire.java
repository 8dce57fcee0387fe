package dev.incumbent.coordinator.tck;

import dev.incumbent.coordinator.memory.FaultyWire;
import dev.incumbent.coordinator.memory.Wire;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** A faulty wire whose answers may take longer, in their order. */
final class SlowWire implements Wire {
    private final FaultyWire faults = new FaultyWire();
    private final Timeline timeline;
    private final AtomicLong requests = new AtomicLong();
    private volatile long delayNanos;

    SlowWire(Timeline timeline) {
        this.timeline = timeline;
    }

    FaultyWire faults() {
        return faults;
    }

    long requests() {
        return requests.get();
    }

    void slowAnswers(Duration by) {
        delayNanos = by.toNanos();
    }

    @Override
    public void toStore(Runnable arrival) {
        requests.incrementAndGet();
        faults.toStore(arrival);
    }

    @Override
    public void toClient(Runnable arrival) {
        if (delayNanos == 0) {
            faults.toClient(arrival);
        } else {
            Timeline.Alarm carried = timeline.at(timeline.nanos() + delayNanos, () -> faults.toClient(arrival));
            assert carried != null;
        }
    }
}
