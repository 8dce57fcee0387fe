package dev.incumbent.simulation;

import static dev.incumbent.simulation.Canaries.bug;

import dev.incumbent.model.HolderProof;
import dev.incumbent.model.Holders;
import dev.incumbent.protocol.Attempt;
import dev.incumbent.protocol.Effect;
import dev.incumbent.protocol.ElectionState;
import dev.incumbent.protocol.Event;
import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.Step;
import dev.incumbent.simulation.Canaries.Bug;
import dev.incumbent.simulation.Fault.Kind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Bugs put around the election machine and its agents: how whoever may still act is turned off. */
final class StonithBugs {
    private static final HolderProof UNSEEN = new HolderProof(HolderProof.Kind.OFF, "nobody", "", Instant.EPOCH);

    private StonithBugs() {}

    static List<Bug> all() {
        return List.of(
                bug(
                                "off-unverified",
                                "a term begins once every holder is seen to act no more",
                                "NobodyBeginsBesideAHolder",
                                0,
                                Rewriting.around(StonithBugs::withoutAProof))
                        .needing(Kind.STONITH),
                bug(
                                "a-debt-dropped",
                                "whoever leaves takes only itself off the list of holders",
                                "NobodyBeginsBesideAHolder",
                                0,
                                WritingBugs.swapping(
                                        Attempt.Kind.VACATE, (state, next) -> next.withHolders(Holders.NONE)))
                        .needing(Kind.STONITH),
                bug(
                                "a-claim-unlisted",
                                "a claim lists its process among the holders",
                                "NobodyBeginsBesideAHolder",
                                0,
                                WritingBugs.swapping(
                                        Attempt.Kind.CLAIM,
                                        (state, next) ->
                                                next.withHolders(next.holders().without(next.term()))))
                        .needing(Kind.STONITH),
                bug(
                                "an-agent-not-killed",
                                "a fence agent has ended when the guard of then ends",
                                "NobodyTurnsOffWhoCameAfter",
                                0,
                                slowAgents())
                        .needing(Kind.STONITH));
    }

    /** Takes every holder for off that it would have turned off. */
    private static Step<ElectionState, Effect> withoutAProof(
            Machine inner, ElectionState state, Event event, Moment now) {
        Step<ElectionState, Effect> step = inner.step(state, event, now);
        List<Effect> effects = new ArrayList<>(step.effects());
        for (Effect effect : step.effects()) {
            if (effect instanceof Effect.FenceHolder fence) {
                effects.remove(effect);
                step = inner.step(
                        step.state(), new Event.HolderFenced(fence.holder().term(), UNSEEN), now);
                effects.addAll(step.effects());
            }
        }
        return new Step<>(step.state(), effects, step.wakeAtNanos());
    }

    private static Canary slowAgents() {
        return new Canary() {
            @Override
            public long fencingTakes(long nanos) {
                return 20 * nanos;
            }
        };
    }
}
