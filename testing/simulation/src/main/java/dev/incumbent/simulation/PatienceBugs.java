package dev.incumbent.simulation;

import static dev.incumbent.simulation.Canaries.bug;

import dev.incumbent.protocol.ElectionState;
import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.Standing;
import dev.incumbent.simulation.Canaries.Bug;
import dev.incumbent.simulation.Fault.Kind;
import java.util.List;

/** Bugs put around the election machine: how long it waits. */
final class PatienceBugs {
    private PatienceBugs() {}

    static List<Bug> all() {
        return List.of(bug(
                        "short-terms-do-not-wait",
                        "a term that did not last makes its process wait",
                        "NobodySpinsTheStore",
                        0,
                        Rewriting.states(PatienceBugs::impatient))
                .needing(Kind.FAILING_TASKS));
    }

    private static ElectionState impatient(ElectionState s, Moment now) {
        Standing w = s.standing();
        Standing standing = new Standing(
                w.campaigning(), w.well(), w.place(), Long.MIN_VALUE, w.mismatchTold(), w.position(), w.load());
        return new ElectionState(s.role(), standing, s.lease(), s.known(), s.tenure(), s.attempt(), s.memory());
    }
}
