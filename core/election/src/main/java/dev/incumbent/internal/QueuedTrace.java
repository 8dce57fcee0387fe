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
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Hands what a user's trace hears to threads of user code, in order. One that throws is told to its thread's uncaught-exception handler; one that is slow loses
 * what came while {@value #MOST} wait, and is told how much. Thread-safe.
 */
final class QueuedTrace implements Trace {
    static final int MOST = 10_000;

    private final Trace trace;
    private final Serial userCode;
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger lost = new AtomicInteger();

    private QueuedTrace(Trace trace, Executor userCode) {
        this.trace = trace;
        this.userCode = new Serial(userCode, Trace.NONE, "the trace");
    }

    /** Over that trace; one that hears nothing stays what it is. */
    static Trace of(Trace trace, Executor userCode) {
        return trace == Trace.NONE ? trace : new QueuedTrace(trace, userCode);
    }

    @Override
    public void stepped(ElectionName election, Event event, Step<ElectionState, Effect> step, Moment at) {
        hand(() -> trace.stepped(election, event, step, at));
    }

    @Override
    public void sessionStepped(SessionEvent event, Step<SessionState, SessionEffect> step, Moment at) {
        hand(() -> trace.sessionStepped(event, step, at));
    }

    @Override
    public void failed(String what, Throwable failure) {
        hand(() -> trace.failed(what, failure));
    }

    private void hand(Runnable tracing) {
        if (waiting.incrementAndGet() > MOST) {
            waiting.decrementAndGet();
            lost.incrementAndGet();
            return;
        }
        int missed = lost.getAndSet(0);
        userCode.execute(() -> {
            waiting.decrementAndGet();
            if (missed > 0) {
                safely(() -> trace.failed(
                        "the trace is slow: it has not heard " + missed + " events",
                        new IllegalStateException("more than " + MOST + " waited for it")));
            }
            safely(tracing);
        });
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
