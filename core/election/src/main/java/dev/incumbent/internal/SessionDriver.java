package dev.incumbent.internal;

import dev.incumbent.Trace;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.LeaseLostException;
import dev.incumbent.coordinator.MissingClass;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Timing;
import dev.incumbent.protocol.Event;
import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.SessionEffect;
import dev.incumbent.protocol.SessionEvent;
import dev.incumbent.protocol.SessionState;
import dev.incumbent.protocol.Step;
import dev.incumbent.time.Timeline;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Drives the one session of a process. Owned by the loop's thread. */
final class SessionDriver {
    private final Strand loop;
    private final Coordinator coordinator;
    private final CandidateId owner;
    private final Timing timing;
    private final Machines.OfSession machine;
    private final LeaseClock clock;
    private final Timeline timeline;
    private final Trace trace;
    private final Listener listener;
    private SessionState state = SessionState.START;
    private Optional<Timeline.Alarm> alarm = Optional.empty();
    private CompletionStage<Void> revoked = CompletableFuture.completedStage(null);

    /** Who hears what the session tells; on the loop's thread. */
    interface Listener {
        void tellElections(Event event);

        void readProofs();

        SessionTroubles troubles();
    }

    SessionDriver(Strand loop, Ports ports, CandidateId owner, Timing timing, Listener listener) {
        this.loop = loop;
        this.coordinator = ports.coordinator();
        this.owner = owner;
        this.timing = timing;
        this.machine = ports.platform().machines().session(timing);
        this.clock = ports.clock();
        this.timeline = ports.timeline();
        this.trace = ports.trace();
        this.listener = listener;
    }

    /** Tells it of the lease that is held, and whether the session is ending. */
    void remind(ElectionDriver driver) {
        state.lease()
                .ifPresent(
                        held -> driver.step(new Event.LeaseGranted(held.id(), held.timeToLive(), held.sentAtNanos())));
        if (state.phase() == SessionState.Phase.ENDING) {
            driver.step(new Event.SessionEnding());
        }
    }

    void post(SessionEvent event) {
        loop.execute(() -> step(event));
    }

    /** Steps now. The loop's thread alone. Whatever throws, the next step comes. */
    void step(SessionEvent event) {
        clock.tick();
        Moment moment = clock.moment();
        long wakeAt = moment.nanos() + timing.requestTimeout().toNanos();
        try {
            Step<SessionState, SessionEffect> step = machine.step(state, event, moment);
            wakeAt = step.wakeAtNanos();
            state = step.state();
            trace.sessionStepped(event, step, moment);
            step.effects().forEach(this::attempt);
        } catch (RuntimeException | Error e) {
            trace.failed("stepping the session by " + event, e);
        }
        wakeAt(wakeAt);
    }

    private void wakeAt(long nanos) {
        alarm.ifPresent(Timeline.Alarm::cancel);
        alarm = nanos == Step.NEVER
                ? Optional.empty()
                : Optional.of(timeline.at(clock.onTimeline(nanos), () -> post(new SessionEvent.Woken())));
    }

    /** One effect that throws takes none of the others with it. */
    private void attempt(SessionEffect effect) {
        try {
            perform(effect);
        } catch (RuntimeException | Error e) {
            trace.failed("the session's " + effect, e);
        }
    }

    private void perform(SessionEffect effect) {
        if (effect instanceof SessionEffect.GrantLease) {
            grant();
        } else if (effect instanceof SessionEffect.KeepAlive e) {
            keepAlive(e.lease());
        } else if (effect instanceof SessionEffect.RevokeLease e) {
            revoked = Calls.of(() -> coordinator.revoke(e.lease()));
        } else if (effect instanceof SessionEffect.ReadProofs) {
            listener.readProofs();
        } else if (effect instanceof SessionEffect.TellElections e) {
            listener.tellElections(e.event());
        } else if (effect instanceof SessionEffect.RefuseTiming e) {
            listener.troubles().timingRefused(e.why());
        } else if (effect instanceof SessionEffect.RefuseCoordinator e) {
            listener.troubles().coordinatorRefused(e.why());
        }
    }

    /** Completes once the last revoke has ended, however it did. */
    CompletionStage<Void> revoked() {
        return revoked.handle((done, failure) -> null);
    }

    private void grant() {
        long sentAt = clock.nanos();
        Calls.of(() -> coordinator.grant(owner, timing.lease()))
                .whenComplete((granted, failure) -> heard(
                        failure == null
                                ? new SessionEvent.Granted(granted.id(), granted.timeToLive(), sentAt)
                                : notGranted(failure),
                        Optional.ofNullable(failure)));
    }

    private static SessionEvent notGranted(Throwable failure) {
        return MissingClass.behind(failure)
                .<SessionEvent>map(missing -> new SessionEvent.Unusable(String.valueOf(missing.getMessage())))
                .orElseGet(() -> new SessionEvent.GrantFailed(Calls.why(failure), Calls.isRefused(failure)));
    }

    private void keepAlive(LeaseId lease) {
        long sentAt = clock.nanos();
        Calls.of(() -> coordinator.keepAlive(lease))
                .whenComplete((done, failure) ->
                        heard(outcome(lease, sentAt, Optional.ofNullable(failure)), Optional.ofNullable(failure)));
    }

    private void heard(SessionEvent event, Optional<Throwable> failure) {
        loop.execute(() -> {
            if (!(event instanceof SessionEvent.Unusable)) {
                listener.troubles().noLease(failure.map(why -> "no lease: " + Calls.why(why)));
            }
            step(event);
        });
    }

    private static SessionEvent outcome(LeaseId lease, long sentAt, Optional<Throwable> failure) {
        if (failure.isEmpty()) {
            return new SessionEvent.KeptAlive(lease, sentAt);
        }
        return Calls.cause(failure.get()) instanceof LeaseLostException
                ? new SessionEvent.Died(lease)
                : new SessionEvent.KeepAliveFailed(lease, Calls.why(failure.get()), Calls.isRefused(failure.get()));
    }
}
