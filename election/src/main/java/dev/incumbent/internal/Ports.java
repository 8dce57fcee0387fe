package dev.incumbent.internal;

import dev.incumbent.Trace;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.time.Timeline;

/** What the drivers of one process reach the outside by. */
record Ports(Coordinator coordinator, Timeline timeline, LeaseClock clock, Trace trace) {}
