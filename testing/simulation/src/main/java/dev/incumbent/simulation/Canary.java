package dev.incumbent.simulation;

import dev.incumbent.Candidacy;
import dev.incumbent.beats.BeatTransport;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.internal.Machines;
import dev.incumbent.internal.Strand;
import dev.incumbent.internal.TaskRunner;
import dev.incumbent.model.SinkId;
import dev.incumbent.model.Timing;
import dev.incumbent.protocol.ElectionProtocol;
import dev.incumbent.protocol.SessionProtocol;
import dev.incumbent.protocol.Setup;
import dev.incumbent.time.Timeline;
import java.util.concurrent.Executor;

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

    /** What its programs hold. */
    default Candidacy candidacy(Candidacy whole) {
        return whole;
    }

    /** Does the operator think that nobody leads as soon as the sinks are closed? */
    default boolean takesClosedForQuiet() {
        return false;
    }

    /** Does a thaw say that it raised a sink that it did not? */
    default boolean skipsTheRaisesOfThaws() {
        return false;
    }

    /** How long a fence agent takes that was told to take so long, in nanoseconds. */
    default long fencingTakes(long nanos) {
        return nanos;
    }

    /** By which its processes hear each other. */
    default BeatTransport beats(BeatTransport whole) {
        return whole;
    }

    /** The strand that owns a driver's state. */
    default Strand strand(Strand whole, Agenda agenda) {
        return whole;
    }

    /** What runs its tasks. */
    default TaskRunner tasks(TaskRunner whole) {
        return whole;
    }

    /** What runs the users' code of that machine's process. */
    default Executor userCode(Executor whole, Node node) {
        return whole;
    }

    /** The clocks of a process. */
    default Timeline clocks(Timeline whole) {
        return whole;
    }

    /** What rings when a task must stop. */
    default Timeline stops(Timeline whole) {
        return whole;
    }

    default Machines.OfSession session(Timing timing) {
        return new SessionProtocol(timing)::step;
    }

    default Timing timing(Timing safe) {
        return safe;
    }
}
