package dev.incumbent.spring;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.fence.Sink;

/** Measures the calls to the coordinator and the sinks, where the application measures anything. */
interface Metering {
    Metering NONE = new Metering() {};

    default Coordinator around(Coordinator coordinator) {
        return coordinator;
    }

    default Sink around(Sink sink) {
        return sink;
    }
}
