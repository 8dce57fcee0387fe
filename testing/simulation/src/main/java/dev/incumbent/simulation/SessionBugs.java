package dev.incumbent.simulation;

import static dev.incumbent.simulation.Canaries.bug;

import dev.incumbent.internal.Machines;
import dev.incumbent.model.Timing;
import dev.incumbent.protocol.SessionEffect;
import dev.incumbent.protocol.SessionEvent;
import dev.incumbent.protocol.SessionProtocol;
import dev.incumbent.protocol.SessionState;
import dev.incumbent.protocol.Step;
import dev.incumbent.simulation.Canaries.Bug;
import dev.incumbent.simulation.Fault.Kind;
import java.util.List;
import java.util.function.UnaryOperator;

/** Bugs put around the session's machine. */
final class SessionBugs {
    private SessionBugs() {}

    static List<Bug> all() {
        return List.of(
                bug(
                                "one-failure-ends-renewal",
                                "whatever fails, the session is stepped again",
                                "RenewalGoesOnWhateverUserCodeDoes",
                                0,
                                session(SessionBugs::notAgain))
                        .needing(Kind.CALLS_FAIL),
                bug(
                                "a-dead-lease-is-the-last",
                                "a process whose lease has died asks for another",
                                "RenewalGoesOnWhateverUserCodeDoes",
                                0,
                                session(SessionBugs::notAnother))
                        .needing(Kind.CUT));
    }

    private static Canary session(UnaryOperator<Machines.OfSession> around) {
        return new Canary() {
            @Override
            public Machines.OfSession session(Timing timing) {
                return around.apply(new SessionProtocol(timing)::step);
            }
        };
    }

    /** Nobody wakes it after a failed keep-alive. */
    private static Machines.OfSession notAgain(Machines.OfSession inner) {
        return (state, event, now) -> {
            Step<SessionState, SessionEffect> step = inner.step(state, event, now);
            return event instanceof SessionEvent.KeepAliveFailed
                    ? new Step<>(step.state(), List.of(), Step.NEVER)
                    : step;
        };
    }

    private static Machines.OfSession notAnother(Machines.OfSession inner) {
        return (state, event, now) -> {
            Step<SessionState, SessionEffect> step = inner.step(state, event, now);
            boolean anew =
                    step.state().phase() == SessionState.Phase.GRANTING && state.phase() == SessionState.Phase.HELD;
            return anew ? new Step<>(step.state(), step.effects().subList(0, 1), Step.NEVER) : step;
        };
    }
}
