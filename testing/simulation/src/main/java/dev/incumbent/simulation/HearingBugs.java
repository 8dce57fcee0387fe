package dev.incumbent.simulation;

import static dev.incumbent.simulation.Canaries.UNFENCED;
import static dev.incumbent.simulation.Canaries.bug;

import dev.incumbent.model.Role;
import dev.incumbent.model.SinkId;
import dev.incumbent.protocol.Effect;
import dev.incumbent.protocol.ElectionState;
import dev.incumbent.protocol.Event;
import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.Step;
import dev.incumbent.simulation.Canaries.Bug;
import dev.incumbent.simulation.Fault.Kind;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Bugs put around the election machine: what it makes of what it hears. */
final class HearingBugs {
    private HearingBugs() {}

    static List<Bug> all() {
        return Stream.concat(ofProofs().stream(), ofWishes().stream()).toList();
    }

    private static List<Bug> ofProofs() {
        return List.of(
                bug(
                                "the-watch-proves-a-term",
                                "the watch is a reason to look, never a proof",
                                "SupersededStopsInTime",
                                1,
                                Rewriting.around(HearingBugs::watchIsARead))
                        .needing(Kind.PREEMPTED_UNHEARD),
                bug(
                                "a-proof-is-dated-now",
                                "a proof is as old as its request",
                                "SupersededStopsInTime",
                                1,
                                Rewriting.around(HearingBugs::provenNow))
                        .needing(Kind.PREEMPTED_UNHEARD),
                bug(
                                "stale-answers-are-accepted",
                                "an answer speaks only of after its request",
                                "WhoeverIsSupersededWas",
                                0,
                                Rewriting.states((state, now) -> Rewriting.withSpeaksFrom(state, Long.MIN_VALUE)))
                        .needing(Kind.SLOW),
                bug(
                                "a-gap-is-not-heard",
                                "after a gap the watch proves nothing until it has told the record",
                                "SupersededStopsInTime",
                                1,
                                ignoring(Event.WatchGapped.class))
                        .needing(Kind.PREEMPTED_UNHEARD),
                bug(
                                "leads-on-under-the-flag",
                                "the flag ends a term",
                                "SupersededStopsInTime",
                                UNFENCED,
                                Rewriting.events(HearingBugs::unfrozenWhileLeading))
                        .needing(Kind.FREEZE),
                bug(
                                "one-sink-is-enough",
                                "every sink is raised before the term begins",
                                "NothingStaleAfterTheRaise",
                                2,
                                Rewriting.around(HearingBugs::oneForAll))
                        .needing(Kind.STUBBORN_TASK, Kind.SLOW),
                bug(
                                "a-stalled-task-has-returned",
                                "a task that nothing fences is waited for, however long",
                                "NoUnfencedVacancyWhileTheTaskRuns",
                                UNFENCED,
                                Rewriting.after(MachineBugs::returnedOnceStalled))
                        .needing(Kind.STUBBORN_TASK));
    }

    private static List<Bug> ofWishes() {
        return List.of(
                bug(
                                "unwell-and-leads-on",
                                "whoever is unwell leads no longer",
                                "AnUnwellLeaderStops",
                                0,
                                Rewriting.events((state, event, now) ->
                                        event instanceof Event.HealthChanged && state.role() == Role.LEADER
                                                ? new Event.Woken()
                                                : event))
                        .needing(Kind.UNHEALTHY),
                bug(
                                "well-again-is-not-heard",
                                "whoever is well again stands again",
                                "WhoStandsIsSoonEnlisted",
                                0,
                                Rewriting.events((state, event, now) ->
                                        event instanceof Event.HealthChanged e && e.well() ? new Event.Woken() : event))
                        .needing(Kind.UNHEALTHY),
                bug(
                                "a-resignation-is-not-heard",
                                "every stage that is handed out completes",
                                "EveryStageCompletes",
                                0,
                                ignoring(Event.ResignAsked.class))
                        .needing(Kind.RESIGN),
                bug(
                                "a-failed-enlisting-is-final",
                                "whoever stands is on the list",
                                "WhoStandsIsSoonEnlisted",
                                0,
                                ignoring(Event.EnlistFailed.class))
                        .needing(Kind.CALLS_FAIL));
    }

    private static Canary ignoring(Class<? extends Event> kind) {
        return Rewriting.events((state, event, now) -> kind.isInstance(event) ? new Event.Woken() : event);
    }

    private static boolean holds(ElectionState state) {
        return state.role() == Role.LEADER || state.role() == Role.FENCING;
    }

    private static Step<ElectionState, Effect> watchIsARead(
            Machine inner, ElectionState state, Event event, Moment now) {
        Step<ElectionState, Effect> step = inner.step(state, event, now);
        return event instanceof Event.RecordChanged e && holds(state)
                ? Rewriting.fed(inner, step, new Event.RecordObserved(e.observed(), now.nanos()), now)
                : step;
    }

    private static Step<ElectionState, Effect> provenNow(Machine inner, ElectionState state, Event event, Moment now) {
        Step<ElectionState, Effect> step = inner.step(state, event, now);
        boolean proven = event instanceof Event.RecordObserved
                && state.tenure().isPresent()
                && step.state().tenure().isPresent()
                && step.state().tenure().get().provenAtNanos()
                        > state.tenure().get().provenAtNanos();
        return proven
                ? new Step<>(Rewriting.withProofAt(step.state(), now.nanos()), step.effects(), step.wakeAtNanos())
                : step;
    }

    private static Event unfrozenWhileLeading(ElectionState state, Event event, Moment now) {
        return holds(state) ? Rewriting.records(event, record -> record.withFreeze(Optional.empty())) : event;
    }

    private static Step<ElectionState, Effect> oneForAll(Machine inner, ElectionState state, Event event, Moment now) {
        Step<ElectionState, Effect> step = inner.step(state, event, now);
        if (!(event instanceof Event.MarkRaised raised) || state.role() != Role.FENCING) {
            return step;
        }
        for (SinkId other :
                step.state().tenure().map(mine -> mine.sinks().raising()).orElseThrow()) {
            step = Rewriting.fed(inner, step, new Event.MarkRaised(other, raised.mark()), now);
        }
        return step;
    }
}
