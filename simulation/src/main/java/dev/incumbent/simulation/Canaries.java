package dev.incumbent.simulation;

import dev.incumbent.simulation.Fault.Kind;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Deliberate bugs, each of which some world must find within its budget of seeds: a checker that finds nothing has to show that it could.
 */
public final class Canaries {
    /**
     * One deliberate bug.
     *
     * @param name what is wrong, as a short word
     * @param rule the sentence that it breaks
     * @param needs kinds of fault without which it cannot show; seeds that draw none of them are passed over
     * @param sinks the sinks that a world must have at least, or {@link #UNFENCED}
     */
    public record Bug(String name, String rule, Set<Kind> needs, int sinks, Canary canary) {}

    /** What came of looking for one: after how many seeds, and the invariant that broke. */
    public record Hunt(Bug bug, int seeds, Optional<Ending> found) {}

    static final int UNFENCED = -1;
    private static final int BUDGET = 400;
    private static final int PASSED_OVER = 200_000;

    private Canaries() {}

    /** Every bug there is. */
    public static List<Bug> all() {
        List<Bug> all = new ArrayList<>();
        all.addAll(MachineBugs.all());
        all.addAll(StoreBugs.all());
        all.addAll(SinkBugs.all());
        all.addAll(OperatorBugs.all());
        return all;
    }

    /** Looks for a bug, seed by seed; a world that is violated without it, too, does not count. */
    public static Hunt hunt(Bug bug, long from) {
        int tried = 0;
        for (int i = 0; i < PASSED_OVER && tried < BUDGET; i++) {
            long seed = Draws.mix(from, i);
            if (suits(bug, Profile.of(seed))) {
                tried++;
                Ending ending = Worlds.run(seed, Profile.of(seed).plan(), bug.canary(), Worlds.UNTRACED);
                if (ending.violation().isPresent()
                        && Worlds.run(seed).violation().isEmpty()) {
                    return new Hunt(bug, tried, Optional.of(ending));
                }
            }
        }
        return new Hunt(bug, tried, Optional.empty());
    }

    private static boolean suits(Bug bug, Profile profile) {
        boolean sinks = bug.sinks() == UNFENCED ? profile.sinks() == 0 : profile.sinks() >= bug.sinks();
        return sinks && profile.kinds().containsAll(bug.needs());
    }

    static Bug bug(String name, String rule, int sinks, Canary canary, Kind... needs) {
        Set<Kind> kinds = EnumSet.noneOf(Kind.class);
        kinds.addAll(List.of(needs));
        return new Bug(name, rule, kinds, sinks, canary);
    }
}
