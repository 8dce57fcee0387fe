package dev.incumbent.simulation;

import static dev.incumbent.simulation.Canaries.UNFENCED;
import static dev.incumbent.simulation.Canaries.bug;

import dev.incumbent.internal.Machines;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.Role;
import dev.incumbent.model.Timing;
import dev.incumbent.protocol.Effect;
import dev.incumbent.protocol.ElectionState;
import dev.incumbent.protocol.Event;
import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.Notice;
import dev.incumbent.protocol.SessionEvent;
import dev.incumbent.protocol.SessionProtocol;
import dev.incumbent.protocol.Step;
import dev.incumbent.protocol.Tenure;
import dev.incumbent.simulation.Canaries.Bug;
import dev.incumbent.simulation.Fault.Kind;
import dev.incumbent.time.Timeline;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Bugs of the driver: of what it tells its machines, of its threads, clocks and alarms, and of how it closes. */
final class DriverBugs {
    private DriverBugs() {}

    static List<Bug> all() {
        return Stream.concat(ofTheSessionAndTheClocks().stream(), ofCandidacies().stream())
                .toList();
    }

    private static List<Bug> ofTheSessionAndTheClocks() {
        return List.of(
                bug(
                                "a-keep-alive-counts-from-its-answer",
                                "the holder counts from before it asked",
                                "NoGuardOutlastsItsLease",
                                0,
                                session(DriverBugs::keptAliveNow))
                        .needing(Kind.SLOW),
                bug(
                                "a-lease-counts-from-its-grant",
                                "the holder counts from before it asked",
                                "NoGuardOutlastsItsLease",
                                0,
                                session(DriverBugs::grantedNow))
                        .needing(Kind.SLOW),
                bug(
                                "close-revokes-at-once",
                                "release comes after the work has stopped",
                                "NoLeaseIsRevokedUnderAnUnfencedTask",
                                UNFENCED,
                                session(DriverBugs::closedAtOnce))
                        .needing(Kind.CLOSE_ALL),
                bug(
                                "the-guard-sleeps-through-a-suspend",
                                "the clock of leases runs through a suspend",
                                "NoGuardOutlastsItsLease",
                                0,
                                clocks(MonotonicAlone::new))
                        .needing(Kind.SUSPEND),
                bug(
                                "the-stop-timer-never-rings",
                                "the stop timer interrupts, whatever the driver's thread does",
                                "TasksAreSoonToldToStop",
                                0,
                                stops(NeverRings::new))
                        .needing(Kind.STARVED_DRIVER));
    }

    private static List<Bug> ofCandidacies() {
        return List.of(
                bug(
                                "unwell-is-not-heard-while-claiming",
                                "whoever is unwell begins no term",
                                "AnUnwellProcessBeginsNoTerm",
                                0,
                                Rewriting.events(DriverBugs::deafWhileClaiming))
                        .needing(Kind.UNWELL_WHILE_CLAIMING),
                bug(
                                "an-abort-is-not-told",
                                "every stage that is handed out completes",
                                "EveryStageCompletes",
                                0,
                                Rewriting.after(DriverBugs::abortsUntold))
                        .needing(Kind.TRANSFER),
                bug(
                                "a-withdrawal-is-forgotten",
                                "whoever has closed leaves",
                                "EveryStageCompletes",
                                0,
                                Rewriting.events(DriverBugs::staysOn))
                        .needing(Kind.WITHDRAW),
                bug(
                                "the-list-is-not-looked-at-again",
                                "whoever stands is on the list",
                                "WhoStandsIsSoonEnlisted",
                                1,
                                Rewriting.events(DriverBugs::listedForEver))
                        .needing(Kind.STORE_RESTORED),
                bug(
                                "memory-ends-with-a-candidacy",
                                "a process never uses a number or a nonce twice",
                                "TermsNeverRepeat",
                                1,
                                Rewriting.around(DriverBugs::forgetsWhenItStands))
                        .needing(Kind.STORE_RESTORED, Kind.STAND_AGAIN));
    }

    private static Canary session(UnaryOperator<Machines.OfSession> around) {
        return new Canary() {
            @Override
            public Machines.OfSession session(Timing timing) {
                return around.apply(new SessionProtocol(timing)::step);
            }
        };
    }

    private static Canary clocks(UnaryOperator<Timeline> around) {
        return new Canary() {
            @Override
            public Timeline clocks(Timeline whole) {
                return around.apply(whole);
            }
        };
    }

    private static Canary stops(UnaryOperator<Timeline> around) {
        return new Canary() {
            @Override
            public Timeline stops(Timeline whole) {
                return around.apply(whole);
            }
        };
    }

    private static Machines.OfSession keptAliveNow(Machines.OfSession inner) {
        return (state, event, now) -> inner.step(
                state,
                event instanceof SessionEvent.KeptAlive e ? new SessionEvent.KeptAlive(e.lease(), now.nanos()) : event,
                now);
    }

    private static Machines.OfSession grantedNow(Machines.OfSession inner) {
        return (state, event, now) -> inner.step(
                state,
                event instanceof SessionEvent.Granted e
                        ? new SessionEvent.Granted(e.lease(), e.timeToLive(), now.nanos())
                        : event,
                now);
    }

    private static Machines.OfSession closedAtOnce(Machines.OfSession inner) {
        return (state, event, now) ->
                inner.step(state, event instanceof SessionEvent.Closing ? new SessionEvent.Closed() : event, now);
    }

    private static Event deafWhileClaiming(ElectionState state, Event event, Moment now) {
        boolean claiming = state.role() == Role.CANDIDATE && state.attempt().isPresent();
        return claiming && event instanceof Event.HealthChanged ? new Event.Woken() : event;
    }

    private static Step<ElectionState, Effect> abortsUntold(
            Machine inner, Step<ElectionState, Effect> step, Moment now) {
        List<Effect> told = new ArrayList<>();
        ElectionState state = step.state();
        for (Effect effect : step.effects()) {
            if (effect instanceof Effect.Tell tell && tell.notice() instanceof Notice.TransferAborted aborted) {
                state = wishingOn(state, aborted.successor());
            } else {
                told.add(effect);
            }
        }
        return new Step<>(state, told, step.wakeAtNanos());
    }

    /** It wishes on, and waits for a successor that it never looks for: a wish that is gone would tell the driver as much as the notice. */
    private static ElectionState wishingOn(ElectionState s, CandidateId successor) {
        Optional<Tenure> wishing = s.tenure().map(t -> {
            Tenure.CatchUp never = new Tenure.CatchUp("", 0, Step.NEVER, Step.NEVER);
            Tenure.Handover was = t.handover();
            Tenure.Handover handover = new Tenure.Handover(
                    Optional.of(successor),
                    Optional.empty(),
                    "",
                    Step.NEVER,
                    was.refused(),
                    Optional.of(never),
                    was.move());
            return new Tenure(
                    t.won(), t.provenAtNanos(), t.holding(), t.sinks(), t.task(), handover, t.ending(), t.inJeopardy());
        });
        return new ElectionState(s.role(), s.standing(), s.lease(), s.known(), wishing, s.attempt(), s.memory());
    }

    private static Event staysOn(ElectionState state, Event event, Moment now) {
        return event instanceof Event.Withdrawn ? new Event.Woken() : event;
    }

    private static Event listedForEver(ElectionState state, Event event, Moment now) {
        return event instanceof Event.CandidatesListed
                        && !state.known().observed().filter(r -> r.isVacant()).isPresent()
                ? new Event.Woken()
                : event;
    }

    private static Step<ElectionState, Effect> forgetsWhenItStands(
            Machine inner, ElectionState state, Event event, Moment now) {
        return inner.step(
                event instanceof Event.Campaigned ? state.remembering(ElectionState.START.memory()) : state,
                event,
                now);
    }

    /** Wall clock and boot-time clock follow the monotonic one. */
    private record MonotonicAlone(Timeline whole) implements Timeline {
        @Override
        public long nanos() {
            return whole.nanos();
        }

        @Override
        public long wallMillis() {
            return Math.floorDiv(whole.nanos(), 1_000_000L);
        }

        @Override
        public OptionalLong bootNanos() {
            return OptionalLong.empty();
        }

        @Override
        public Alarm at(long nanos, Runnable task) {
            return whole.at(nanos, task);
        }
    }

    /** Alarms that are set and never ring. */
    private record NeverRings(Timeline whole) implements Timeline {
        @Override
        public long nanos() {
            return whole.nanos();
        }

        @Override
        public long wallMillis() {
            return whole.wallMillis();
        }

        @Override
        public OptionalLong bootNanos() {
            return whole.bootNanos();
        }

        @Override
        public Alarm at(long nanos, Runnable task) {
            return () -> {};
        }
    }
}
