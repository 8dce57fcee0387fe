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
 * Hears all that happens, in order: the only back door. Logs, metrics and transcripts are traces.
 *
 * <p>Called one event at a time, a little later, on a thread of user code: it changes nothing, whatever it does. One that throws is told to the thread's
 * uncaught-exception handler; one that falls 10,000 events behind is told how many it has not heard.
 */
public interface Trace {
    /** Hears nothing. */
    Trace NONE = new Trace() {};

    default void stepped(ElectionName election, Event event, Step<ElectionState, Effect> step, Moment at) {}

    default void sessionStepped(SessionEvent event, Step<SessionState, SessionEffect> step, Moment at) {}

    /** A task, a callback or the driver itself failed. */
    default void failed(String what, Throwable failure) {}
}
