package dev.incumbent.simulation;

import static dev.incumbent.simulation.Canaries.bug;

import dev.incumbent.simulation.Canaries.Bug;
import dev.incumbent.simulation.Fault.Kind;
import java.util.List;

/** Bugs of operators. */
final class OperatorBugs {
    private OperatorBugs() {}

    static List<Bug> all() {
        return List.of(
                bug(
                                "closed-is-quiet",
                                "quiet needs no live leader and one lease waited",
                                "NobodyLeadsOnceFrozen",
                                1,
                                new TakesClosedForQuiet())
                        .needing(Kind.FREEZE, Kind.CUT_THE_LEADER),
                bug(
                                "a-thaw-that-raises-nothing",
                                "a thaw raises every sink under its own name",
                                "SomeoneLeadsOnceFaultsCease",
                                1,
                                new SkipsRaises())
                        .needing(Kind.FREEZE));
    }

    private static final class TakesClosedForQuiet implements Canary {
        @Override
        public boolean takesClosedForQuiet() {
            return true;
        }
    }

    private static final class SkipsRaises implements Canary {
        @Override
        public boolean skipsTheRaisesOfThaws() {
            return true;
        }
    }
}
