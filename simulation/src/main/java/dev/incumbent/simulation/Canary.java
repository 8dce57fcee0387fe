package dev.incumbent.simulation;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.model.SinkId;
import dev.incumbent.model.Timing;
import dev.incumbent.protocol.ElectionProtocol;
import dev.incumbent.protocol.Setup;

/** A deliberate bug, put in from outside: around the machine, the store's client, a sink, or the timing. By default, none. */
interface Canary {
    Canary NONE = new Canary() {};

    default Machine machine(Setup setup) {
        return new ElectionProtocol(setup)::step;
    }

    default Coordinator coordinator(Coordinator whole) {
        return whole;
    }

    default SinkModel sink(SinkId id, Inspectors inspectors) {
        return new SinkModel(id, inspectors);
    }

    /** Does the operator think that nobody leads as soon as the sinks are closed? */
    default boolean takesClosedForQuiet() {
        return false;
    }

    /** Does a thaw say that it raised a sink that it did not? */
    default boolean skipsTheRaisesOfThaws() {
        return false;
    }

    default Timing timing(Timing safe) {
        return safe;
    }
}
