package dev.incumbent.simulation;

import dev.incumbent.simulation.Fault.Kind;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.function.Predicate;

/**
 * Deliberate bugs, each of which some world must find within its budget of seeds: a checker that finds nothing has to show that it could.
 */
public final class Canaries {
    /**
     * One deliberate bug.
     *
     * @param name what is wrong, as a short word
     * @param rule the sentence that it breaks
     * @param caughtBy the invariant that finds it; another's catch does not count
     * @param needs kinds of fault without which it cannot show; seeds that draw none of them are passed over
     * @param sinks the sinks that a world must have at least, or {@link #UNFENCED}
     * @param among says in which worlds it shows often enough to be found; all others are passed over
     */
    public record Bug(
            String name,
            String rule,
            String caughtBy,
            Set<Kind> needs,
            int sinks,
            Predicate<Profile> among,
            Canary canary) {
        Bug needing(Kind... kinds) {
            Set<Kind> all = EnumSet.noneOf(Kind.class);
            all.addAll(List.of(kinds));
            return new Bug(name, rule, caughtBy, all, sinks, among, canary);
        }

        Bug among(Predicate<Profile> worlds) {
            return new Bug(name, rule, caughtBy, needs, sinks, worlds, canary);
        }
    }

    /** What came of looking for one: after how many seeds, and the invariant that broke. */
    public record Hunt(Bug bug, int seeds, Optional<Ending> found) {}

    static final int UNFENCED = -1;
    private static final long BASE = 20_261_121;
    /** As many worlds that suit are tried. */
    private static final int BUDGET = 400;

    private static final int PASSED_OVER = 4_000_000;

    /** Asked only where clocks keep within their bound. */
    private static final List<String> TIMELY = List.of("NoLeaderBeyondItsLease", "NoGuardOutlastsItsLease");

    private Canaries() {}

    /** Every bug there is. */
    public static List<Bug> all() {
        List<Bug> all = new ArrayList<>();
        all.addAll(MachineBugs.all());
        all.addAll(HearingBugs.all());
        all.addAll(WritingBugs.all());
        all.addAll(PlanBugs.all());
        all.addAll(MoveBugs.all());
        all.addAll(StonithBugs.all());
        all.addAll(BeatBugs.all());
        all.addAll(SessionBugs.all());
        all.addAll(PatienceBugs.all());
        all.addAll(StoreBugs.all());
        all.addAll(ClientBugs.all());
        all.addAll(SinkBugs.all());
        all.addAll(OperatorBugs.all());
        all.addAll(DriverBugs.all());
        all.addAll(RepeatBugs.all());
        all.addAll(PlatformBugs.all());
        return all;
    }

    /**
     * Looks for every bug, on threads of its own, from the same seeds each time; in the order of {@link #all()}.
     *
     * @param done told after each how many have been looked for, by one thread at a time
     */
    public static List<Hunt> huntAll(int jobs, LongConsumer done) {
        AtomicLong looked = new AtomicLong();
        ExecutorService threads = Executors.newFixedThreadPool(jobs);
        try {
            List<CompletableFuture<Hunt>> hunts = all().stream()
                    .map(bug -> CompletableFuture.supplyAsync(
                            () -> {
                                Hunt hunt = hunt(bug, BASE);
                                synchronized (looked) {
                                    done.accept(looked.incrementAndGet());
                                }
                                return hunt;
                            },
                            threads))
                    .toList();
            return hunts.stream().map(CompletableFuture::join).toList();
        } finally {
            threads.shutdownNow();
        }
    }

    /** Looks for a bug, seed by seed; another invariant's catch does not count, nor a world that is violated without it, too. */
    public static Hunt hunt(Bug bug, long from) {
        return hunt(bug, from, BUDGET);
    }

    static Hunt hunt(Bug bug, long from, int budget) {
        int tried = 0;
        for (int i = 0; i < PASSED_OVER && tried < budget; i++) {
            long seed = Draws.mix(from, i);
            if (suits(bug, Profile.of(seed))) {
                tried++;
                Ending ending = Worlds.run(seed, Profile.of(seed).plan(), bug.canary(), Worlds.UNTRACED);
                if (ending.violation()
                                .filter(violation -> violation.invariant().equals(bug.caughtBy()))
                                .isPresent()
                        && Worlds.run(seed).violation().isEmpty()) {
                    return new Hunt(bug, tried, Optional.of(ending));
                }
            }
        }
        return new Hunt(bug, tried, Optional.empty());
    }

    private static boolean suits(Bug bug, Profile profile) {
        boolean sinks = bug.sinks() == UNFENCED ? profile.sinks() == 0 : profile.sinks() >= bug.sinks();
        boolean asked = profile.timely() || !TIMELY.contains(bug.caughtBy());
        return sinks
                && asked
                && profile.kinds().containsAll(bug.needs())
                && bug.among().test(profile);
    }

    static Bug bug(String name, String rule, String caughtBy, int sinks, Canary canary) {
        return new Bug(name, rule, caughtBy, EnumSet.noneOf(Kind.class), sinks, any -> true, canary);
    }
}
