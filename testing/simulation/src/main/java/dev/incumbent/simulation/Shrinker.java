package dev.incumbent.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Makes a failing world small: leaves out faults as long as the same invariant breaks (ddmin, by Zeller and Hildebrandt), then halves how long the others last.
 * Every draw that is not a fault's stays in place meanwhile. Not thread-safe.
 */
public final class Shrinker {
    private static final int MOST_REPLAYS = 2_000;

    private final Plan whole;
    private final Canary canary;
    private final String invariant;
    private int replays;

    /**
     * What is left of a failing world.
     *
     * @param plan the world with those faults without which it does not fail
     * @param violation by which it still fails
     * @param faults how many there were
     * @param replays the worlds that it took
     */
    public record Shrunk(Plan plan, Violation violation, int faults, int replays) {
        /** The faults without which it does not fail. */
        public List<Fault> left() {
            return plan.faults();
        }

        /** A JUnit test to paste. */
        public String test() {
            StringBuilder text = new StringBuilder("@Test\nvoid ")
                    .append(violation.invariant().substring(0, 1).toLowerCase(Locale.ROOT))
                    .append(violation.invariant().substring(1))
                    .append("In%016x() {%n".formatted(plan.seed()))
                    .append("    List<Fault> faults = List.of(");
            String separator = "";
            for (Fault fault : left()) {
                text.append(separator)
                        .append("%n            new Fault(%dL, Fault.Kind.%s, %d, %dL, %d)"
                                .formatted(
                                        fault.atNanos(),
                                        fault.kind(),
                                        fault.node(),
                                        fault.lengthNanos(),
                                        fault.amount()));
                separator = ",";
            }
            return text.append(");\n\n    Ending ending = Worlds.run(0x%016xL, faults);%n%n".formatted(plan.seed()))
                    .append("    assertThat(ending.violation()).isEmpty();\n}")
                    .toString();
        }
    }

    private Shrinker(Plan whole, Canary canary, String invariant) {
        this.whole = whole;
        this.canary = canary;
        this.invariant = invariant;
    }

    /** Shrinks the world of that seed; empty where it violates nothing. */
    public static Optional<Shrunk> shrink(long seed) {
        return shrink(Plan.of(seed));
    }

    /** Shrinks that world; empty where it violates nothing. */
    public static Optional<Shrunk> shrink(Plan plan) {
        return shrink(plan, Canary.NONE);
    }

    static Optional<Shrunk> shrink(Plan plan, Canary canary) {
        return Worlds.run(plan, canary, Worlds.UNTRACED)
                .violation()
                .map(violation -> new Shrinker(plan, canary, violation.invariant()).smallest(violation));
    }

    private Shrunk smallest(Violation violation) {
        List<Fault> plan = whole.faults();
        List<Fault> begun = plan.stream()
                .filter(fault -> fault.atNanos() <= violation.atNanos())
                .toList();
        Plan left = whole.with(shorter(fewer(fails(begun) ? begun : plan)));
        Violation still = Worlds.run(left, canary, Worlds.UNTRACED).violation().orElseThrow();
        return new Shrunk(left, still, plan.size(), replays);
    }

    private boolean fails(List<Fault> plan) {
        replays++;
        return replays <= MOST_REPLAYS
                && Worlds.run(whole.with(plan), canary, Worlds.UNTRACED)
                        .violation()
                        .filter(v -> v.invariant().equals(invariant))
                        .isPresent();
    }

    /** Leaves out one part after another, in ever smaller parts, down to single faults. */
    private List<Fault> fewer(List<Fault> plan) {
        List<Fault> left = plan;
        int size = Math.max(1, left.size());
        while (size >= 1 && !left.isEmpty()) {
            List<Fault> before = left;
            left = withoutParts(left, size);
            if (size > 1) {
                size = (size + 1) / 2;
            } else if (left.size() == before.size()) {
                return left;
            }
        }
        return left;
    }

    private List<Fault> withoutParts(List<Fault> plan, int size) {
        List<Fault> left = plan;
        for (int from = 0; from < left.size(); ) {
            List<Fault> candidate = new ArrayList<>(left.subList(0, from));
            candidate.addAll(left.subList(Math.min(left.size(), from + size), left.size()));
            if (fails(candidate)) {
                left = candidate;
            } else {
                from += size;
            }
        }
        return left;
    }

    private List<Fault> shorter(List<Fault> plan) {
        List<Fault> left = new ArrayList<>(plan);
        for (int i = 0; i < left.size(); i++) {
            for (Fault half = halved(left.get(i)); half.lengthNanos() > 0; half = halved(half)) {
                Fault longer = left.set(i, half);
                if (!fails(left)) {
                    left.set(i, longer);
                    break;
                }
            }
        }
        return left;
    }

    private static Fault halved(Fault fault) {
        return new Fault(fault.atNanos(), fault.kind(), fault.node(), fault.lengthNanos() / 2, fault.amount());
    }
}
