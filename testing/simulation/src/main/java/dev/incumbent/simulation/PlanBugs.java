package dev.incumbent.simulation;

import static dev.incumbent.simulation.Canaries.bug;

import dev.incumbent.protocol.Attempt;
import dev.incumbent.protocol.Moment;
import dev.incumbent.simulation.Canaries.Bug;
import dev.incumbent.simulation.Fault.Kind;
import java.util.List;
import java.util.Optional;

/** Bugs put around the election machine: what it makes of transfers that are planned for later. */
final class PlanBugs {
    private static final long AHEAD_MILLIS = 600_000;

    private PlanBugs() {}

    static List<Bug> all() {
        return List.of(
                bug(
                                "a-plan-before-its-time",
                                "a planned transfer is done no sooner than its time by the leader's clock",
                                "APlanWaitsForItsTime",
                                0,
                                Rewriting.around((inner, state, event, now) -> inner.step(
                                        state, event, new Moment(now.nanos(), now.wallMillis() + AHEAD_MILLIS))))
                        .needing(Kind.PLANNED_TRANSFER),
                bug(
                                "a-plan-never-due",
                                "whoever leads then does what was planned",
                                "ADuePlanIsSettled",
                                0,
                                Rewriting.around((inner, state, event, now) ->
                                        inner.step(state, event, new Moment(now.nanos(), 0L))))
                        .needing(Kind.PLANNED_TRANSFER),
                bug(
                                "a-plan-that-stays",
                                "a planned transfer is done once",
                                "APlanIsDoneOnce",
                                0,
                                WritingBugs.swapping(
                                        Attempt.Kind.VACATE,
                                        (state, next) ->
                                                next.withPlanned(state.record().planned())))
                        .needing(Kind.PLANNED_TRANSFER),
                bug(
                                "a-claim-forgets-the-plan",
                                "a plan stands whoever leads meanwhile",
                                "APlanIsNotForgotten",
                                0,
                                WritingBugs.swapping(
                                        Attempt.Kind.CLAIM, (state, next) -> next.withPlanned(Optional.empty())))
                        .needing(Kind.PLANNED_TRANSFER, Kind.RESIGN));
    }
}
