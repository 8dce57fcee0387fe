package dev.incumbent.internal;

import dev.incumbent.Trace;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.time.Timeline;

/**
 * What the drivers of one process reach the outside by.
 *
 * @param teller tells the process's listener
 * @param wakes what wakes the machines
 * @param spread what all candidacies of the process tell of it
 * @param stops what stops tasks in time: shares no lock and no thread with renewal
 */
record Ports(
        Coordinator coordinator,
        Platform platform,
        LeaseClock clock,
        Trace trace,
        Teller teller,
        Wakes wakes,
        Wakes stops,
        Spread spread) {
    /** The same over that coordinator. */
    Ports over(Coordinator other) {
        return new Ports(other, platform, clock, trace, teller, wakes, stops, spread);
    }

    Timeline timeline() {
        return platform.timeline();
    }
}
