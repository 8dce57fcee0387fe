package dev.incumbent;

import dev.incumbent.model.ElectionName;
import dev.incumbent.protocol.Effect;
import dev.incumbent.protocol.ElectionState;
import dev.incumbent.protocol.Event;
import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.SessionEffect;
import dev.incumbent.protocol.SessionEvent;
import dev.incumbent.protocol.SessionState;
import dev.incumbent.protocol.Step;

/**
 * Is told every step of the state machines, in order, for tests and for the search for faults. For logs and metrics, use an {@link ElectionListener}.
 *
 * <p>Called one event at a time, a little later, on a thread for user code, so it cannot change what happens. An exception that it throws goes to the thread's
 * handler of uncaught exceptions. A trace that falls 10,000 events behind is told how many events it has missed.
 */
public interface Trace {
    /** Does nothing. */
    Trace NONE = new Trace() {};

    default void stepped(ElectionName election, Event event, Step<ElectionState, Effect> step, Moment at) {}

    default void sessionStepped(SessionEvent event, Step<SessionState, SessionEffect> step, Moment at) {}

    /** A task, a callback or the driver itself failed. */
    default void failed(String what, Throwable failure) {}
}
