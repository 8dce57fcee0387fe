package dev.incumbent.coordinator.tck;

import dev.incumbent.coordinator.memory.FaultyWire;
import dev.incumbent.coordinator.memory.Wire;
import dev.incumbent.time.Timeline;
import java.time.Duration;

/** A faulty wire whose answers may take longer, in their order. */
final class SlowWire implements Wire {
    private final FaultyWire faults = new FaultyWire();
    private final Timeline timeline;
    private volatile long delayNanos;

    SlowWire(Timeline timeline) {
        this.timeline = timeline;
    }

    FaultyWire faults() {
        return faults;
    }

    void slowAnswers(Duration by) {
        delayNanos = by.toNanos();
    }

    @Override
    public void toStore(Runnable arrival) {
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
