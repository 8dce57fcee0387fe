package dev.incumbent.protocol;

import dev.incumbent.model.Timing;
import dev.incumbent.protocol.SessionEffect.GrantLease;
import dev.incumbent.protocol.SessionEffect.KeepAlive;
import dev.incumbent.protocol.SessionEffect.ReadProofs;
import dev.incumbent.protocol.SessionEffect.RefuseCoordinator;
import dev.incumbent.protocol.SessionEffect.RefuseTiming;
import dev.incumbent.protocol.SessionEffect.RevokeLease;
import dev.incumbent.protocol.SessionEffect.TellElections;
import dev.incumbent.protocol.SessionState.Phase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The one lease of a process, as a pure machine: granted, kept alive at a third of its length, granted anew once it is dead.
 *
 * <p>A keep-alive is due {@code renewEvery} after the <em>sending</em> of the last that was answered. A failed one is retried at once, from the second
 * failure in a row with back-off. Only the sending of the very attempt that was answered counts. A lease that runs out unanswered is let go, and another
 * asked for. Holds no state.
 */
public final class SessionProtocol {
    private static final int LARGEST_DOUBLING = 6;
    private static final SessionState OVER =
            new SessionState(Phase.CLOSED, Optional.empty(), false, Step.NEVER, 0, true);

    private final Timing timing;

    public SessionProtocol(Timing timing) {
        this.timing = timing;
    }

    /** Takes one event at one moment; moments never go back. */
    public Step<SessionState, SessionEffect> step(SessionState state, SessionEvent event, Moment now) {
        List<SessionEffect> effects = new ArrayList<>();
        SessionState next = pursue(take(state, event, now.nanos(), effects), now.nanos(), effects);
        return new Step<>(next, effects, wakeAt(next));
    }

    private SessionState take(SessionState state, SessionEvent event, long now, List<SessionEffect> effects) {
        if (event instanceof SessionEvent.Opened && state.phase() == Phase.IDLE) {
            return granting(state, now);
        }
        if (event instanceof SessionEvent.Granted e && state.phase() == Phase.GRANTING) {
            return granted(state, e, effects);
        }
        if (event instanceof SessionEvent.Granted e) {
            effects.add(new RevokeLease(e.lease()));
            return state;
        }
        if (event instanceof SessionEvent.GrantFailed && state.phase() == Phase.GRANTING) {
            return due(state, now + patience(state), state.failures() + 1);
        }
        if (event instanceof SessionEvent.Unusable e) {
            return unusable(state, e.why(), effects);
        }
        if (event instanceof SessionEvent.TaskStalled && state.phase() == Phase.HELD) {
            effects.add(new TellElections(new Event.SessionEnding()));
            return new SessionState(
                    Phase.ENDING, state.lease().map(HeldLease::ended), false, state.dueAtNanos(), 0, state.last());
        }
        if (event instanceof SessionEvent.Closing) {
            return state.lease().isEmpty() ? OVER : state.isLast();
        }
        if (event instanceof SessionEvent.Closed) {
            state.lease().ifPresent(held -> effects.add(new RevokeLease(held.id())));
            return OVER;
        }
        return takeKeepAlive(state, event, now, effects);
    }

    private SessionState granted(SessionState state, SessionEvent.Granted e, List<SessionEffect> effects) {
        String unsafe = timing.unsafeOn(e.timeToLive());
        if (!unsafe.isEmpty()) {
            effects.add(new RevokeLease(e.lease()));
            effects.add(new RefuseTiming(unsafe));
            return OVER;
        }
        effects.add(new TellElections(new Event.LeaseGranted(e.lease(), e.timeToLive(), e.sentAtNanos())));
        HeldLease held = new HeldLease(e.lease(), e.timeToLive(), e.sentAtNanos(), false);
        return new SessionState(Phase.HELD, Optional.of(held), false, e.sentAtNanos() + every(), 0, state.last());
    }

    /** A lease that is held is kept as long as that succeeds, and is the last. */
    private static SessionState unusable(SessionState state, String why, List<SessionEffect> effects) {
        if (!state.last()) {
            effects.add(new RefuseCoordinator(why));
        }
        return state.lease().isEmpty() ? OVER : state.isLast();
    }

    private SessionState takeKeepAlive(SessionState state, SessionEvent event, long now, List<SessionEffect> effects) {
        if (event instanceof SessionEvent.KeptAlive e && holds(state, e.lease()) && state.phase() == Phase.HELD) {
            effects.add(new TellElections(new Event.LeaseRenewed(e.lease(), e.sentAtNanos())));
            Optional<HeldLease> renewed = state.lease().map(held -> held.renewed(e.sentAtNanos()));
            return new SessionState(Phase.HELD, renewed, false, e.sentAtNanos() + every(), 0, state.last());
        }
        if (event instanceof SessionEvent.KeepAliveFailed e && holds(state, e.lease()) && state.phase() == Phase.HELD) {
            effects.add(new TellElections(new Event.RenewalMissed()));
            long due = state.failures() == 0 ? now : now + patience(state);
            return due(state, due, state.failures() + 1);
        }
        if (event instanceof SessionEvent.Died e && holds(state, e.lease())) {
            effects.add(new TellElections(new Event.LeaseLost(e.lease())));
            return gone(state, now);
        }
        return state;
    }

    private SessionState pursue(SessionState state, long now, List<SessionEffect> effects) {
        if (now >= letsGoAt(state)) {
            effects.add(new TellElections(
                    new Event.LeaseLost(state.lease().orElseThrow().id())));
            return pursue(gone(state, now), now, effects);
        }
        if (state.asking() || now < state.dueAtNanos()) {
            return state;
        }
        if (state.failures() == 0) {
            effects.add(new ReadProofs());
        }
        return switch (state.phase()) {
            case GRANTING -> asking(state, new GrantLease(), effects);
            case HELD -> asking(state, new KeepAlive(state.lease().orElseThrow().id()), effects);
            case ENDING -> due(state, now + every(), 0);
            case IDLE, CLOSED -> state;
        };
    }

    /** Its lease is gone: it asks for another, unless this was the last. */
    private static SessionState gone(SessionState state, long now) {
        return state.last() ? OVER : granting(state, now);
    }

    private static SessionState granting(SessionState state, long now) {
        return new SessionState(Phase.GRANTING, Optional.empty(), false, now, 0, state.last());
    }

    /** Nothing is under way; the next is due then. */
    private static SessionState due(SessionState state, long dueAt, int failures) {
        return new SessionState(state.phase(), state.lease(), false, dueAt, failures, state.last());
    }

    private static SessionState asking(SessionState state, SessionEffect what, List<SessionEffect> effects) {
        effects.add(what);
        return new SessionState(state.phase(), state.lease(), true, state.dueAtNanos(), state.failures(), state.last());
    }

    private static long wakeAt(SessionState state) {
        long due = state.asking() ? Step.NEVER : state.dueAtNanos();
        return Math.min(due, letsGoAt(state));
    }

    /**
     * When a lease is given up for lost: once it has run out, if nothing keeps it alive on purpose, or if what should is not answered. Requests may arrive whose
     * answers do not: sent for ever, they would keep a lease that serves nobody, and its record would name whoever does not lead.
     */
    private static long letsGoAt(SessionState state) {
        boolean unanswered = state.phase() == Phase.HELD && state.failures() > 0 && !state.asking();
        return unanswered || state.phase() == Phase.ENDING ? runsOutAt(state) : Step.NEVER;
    }

    private static long runsOutAt(SessionState state) {
        HeldLease held = state.lease().orElseThrow();
        return held.sentAtNanos() + held.timeToLive().toNanos();
    }

    private static boolean holds(SessionState state, dev.incumbent.model.LeaseId lease) {
        return state.lease().filter(held -> held.id().equals(lease)).isPresent();
    }

    private long every() {
        return timing.renewEvery().toNanos();
    }

    /** How long to wait after one more failure: half a request timeout, doubling, at most renewEvery. */
    private long patience(SessionState state) {
        Duration half = timing.requestTimeout().dividedBy(2);
        long doubled = half.toNanos() << Math.min(state.failures(), LARGEST_DOUBLING);
        return Math.min(doubled, every());
    }
}
