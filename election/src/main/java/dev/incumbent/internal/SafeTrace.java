package dev.incumbent.internal;

import dev.incumbent.Trace;
import dev.incumbent.model.ElectionName;
import dev.incumbent.protocol.Effect;
import dev.incumbent.protocol.ElectionState;
import dev.incumbent.protocol.Event;
import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.SessionEffect;
import dev.incumbent.protocol.SessionEvent;
import dev.incumbent.protocol.SessionState;
import dev.incumbent.protocol.Step;

/** A trace that cannot disturb: what the user's one throws goes to the thread's uncaught-exception handler. */
record SafeTrace(Trace trace) implements Trace {
    @Override
    public void stepped(ElectionName election, Event event, Step<ElectionState, Effect> step, Moment at) {
        safely(() -> trace.stepped(election, event, step, at));
    }

    @Override
    public void sessionStepped(SessionEvent event, Step<SessionState, SessionEffect> step, Moment at) {
        safely(() -> trace.sessionStepped(event, step, at));
    }

    @Override
    public void failed(String what, Throwable failure) {
        safely(() -> trace.failed(what, failure));
    }

    private static void safely(Runnable tracing) {
        try {
            tracing.run();
        } catch (RuntimeException | Error e) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
        }
    }
}
