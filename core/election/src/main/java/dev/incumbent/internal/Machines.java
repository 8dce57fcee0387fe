package dev.incumbent.internal;

import dev.incumbent.model.Timing;
import dev.incumbent.protocol.Effect;
import dev.incumbent.protocol.ElectionProtocol;
import dev.incumbent.protocol.ElectionState;
import dev.incumbent.protocol.Event;
import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.SessionEffect;
import dev.incumbent.protocol.SessionEvent;
import dev.incumbent.protocol.SessionProtocol;
import dev.incumbent.protocol.SessionState;
import dev.incumbent.protocol.Setup;
import dev.incumbent.protocol.Step;

/** The pure machines that the drivers step: the shipped ones, or in a world a deliberate bug around one of them. */
public interface Machines {
    /** The machines of {@code dev.incumbent.protocol}. */
    Machines SHIPPED = new Machines() {};

    default OfElection election(Setup setup) {
        return new ElectionProtocol(setup)::step;
    }

    default OfSession session(Timing timing) {
        return new SessionProtocol(timing)::step;
    }

    /** One election's machine. */
    @FunctionalInterface
    interface OfElection {
        Step<ElectionState, Effect> step(ElectionState state, Event event, Moment now);
    }

    /** The session's machine. */
    @FunctionalInterface
    interface OfSession {
        Step<SessionState, SessionEffect> step(SessionState state, SessionEvent event, Moment now);
    }
}
