package dev.incumbent.internal;

import dev.incumbent.Trace;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.LeaseLostException;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Timing;
import dev.incumbent.protocol.Event;
import dev.incumbent.protocol.SessionEffect;
import dev.incumbent.protocol.SessionEvent;
import dev.incumbent.protocol.SessionProtocol;
import dev.incumbent.protocol.SessionState;
import dev.incumbent.protocol.Step;
import dev.incumbent.time.Timeline;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Drives the one session of a process. Owned by the loop's thread. */
final class SessionDriver {
    private final Loop loop;
    private final Coordinator coordinator;
    private final CandidateId owner;
    private final Timing timing;
    private final SessionProtocol protocol;
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

        void timingRefused(String why);
    }

    SessionDriver(Loop loop, Ports ports, CandidateId owner, Timing timing, Listener listener) {
        this.loop = loop;
        this.coordinator = ports.coordinator();
        this.owner = owner;
        this.timing = timing;
        this.protocol = new SessionProtocol(timing);
        this.clock = ports.clock();
        this.timeline = ports.timeline();
        this.trace = ports.trace();
        this.listener = listener;
    }

    Optional<Event.LeaseGranted> lease() {
        return state.lease().map(held -> new Event.LeaseGranted(held.id(), held.timeToLive(), held.sentAtNanos()));
    }

    boolean isEnding() {
        return state.phase() == SessionState.Phase.ENDING;
    }

    void post(SessionEvent event) {
        loop.execute(() -> step(event));
    }

    private void step(SessionEvent event) {
        clock.tick();
        var moment = clock.moment();
        Step<SessionState, SessionEffect> step = protocol.step(state, event, moment);
        state = step.state();
        trace.sessionStepped(event, step, moment);
        step.effects().forEach(this::perform);
        alarm.ifPresent(Timeline.Alarm::cancel);
        alarm = step.wakeAtNanos() == Step.NEVER
                ? Optional.empty()
                : Optional.of(timeline.at(clock.onTimeline(step.wakeAtNanos()), () -> post(new SessionEvent.Woken())));
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
            listener.timingRefused(e.why());
        }
    }

    /** Completes once the last revoke has ended, however it did. */
    CompletionStage<Void> revoked() {
        return revoked.handle((done, failure) -> null);
    }

    private void grant() {
        long sentAt = clock.nanos();
        Calls.of(() -> coordinator.grant(owner, timing.lease()))
                .whenComplete((granted, failure) -> post(
                        failure == null
                                ? new SessionEvent.Granted(granted.id(), granted.timeToLive(), sentAt)
                                : new SessionEvent.GrantFailed(Calls.why(failure))));
    }

    private void keepAlive(LeaseId lease) {
        long sentAt = clock.nanos();
        Calls.of(() -> coordinator.keepAlive(lease))
                .whenComplete((done, failure) -> post(outcome(lease, sentAt, Optional.ofNullable(failure))));
    }

    private static SessionEvent outcome(LeaseId lease, long sentAt, Optional<Throwable> failure) {
        if (failure.isEmpty()) {
            return new SessionEvent.KeptAlive(lease, sentAt);
        }
        return Calls.cause(failure.get()) instanceof LeaseLostException
                ? new SessionEvent.Died(lease)
                : new SessionEvent.KeepAliveFailed(lease, Calls.why(failure.get()));
    }
}
