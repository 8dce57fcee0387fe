package dev.incumbent.simulation;

import dev.incumbent.simulation.Fault.Kind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.LongStream;

/**
 * Hours in which only operators, ranks and health change: five processes with random priorities, versions, zones, cordons and health, transfers now and planned for later, and
 * leaders that hand over to a better rank. Nothing fails, so somebody leads wherever a well candidate stands, and moves at most once for each change.
 *
 * @param base what the hours' seeds are derived from
 */
public record OrderlyHours(long base) {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;
    private static final long HOUR = 3_600 * SECOND;
    private static final long LEASE = 15 * SECOND;
    private static final int PROCESSES = 5;
    private static final long CHANGE_EVERY = 45 * SECOND;

    /**
     * What came of them.
     *
     * @param milestones how often each was reached
     * @param violations of any invariant
     */
    public record Result(long events, Map<Milestone, Long> milestones, List<Violation> violations) {}

    /** Runs so many of them on so many threads, and waits for them. */
    public Result run(int hours, int jobs) {
        ExecutorService threads = Executors.newFixedThreadPool(jobs);
        try {
            List<CompletableFuture<Ending>> all = LongStream.range(0, hours)
                    .mapToObj(i -> CompletableFuture.supplyAsync(() -> hour(i), threads))
                    .toList();
            return sum(all.stream().map(CompletableFuture::join).toList());
        } finally {
            threads.shutdownNow();
        }
    }

    /** One of them. */
    Ending hour(long number) {
        long seed = Draws.mix(base, number);
        Set<Kind> kinds = EnumSet.of(
                Kind.PRIORITY, Kind.CORDON, Kind.MOVES, Kind.UNHEALTHY, Kind.PLANNED_TRANSFER, Kind.OPERATOR_TRANSFER);
        Profile profile = new Profile(seed, PROCESSES, 1, LEASE, 5 * MILLI, HOUR, CHANGE_EVERY, kinds, false, true);
        return Worlds.run(new Plan(profile, profile.plan()), Canary.NONE, Worlds.UNTRACED);
    }

    private static Result sum(List<Ending> hours) {
        Map<Milestone, Long> milestones = new EnumMap<>(Milestone.class);
        List<Violation> violations = new ArrayList<>();
        long events = 0;
        for (Ending hour : hours) {
            hour.milestones().forEach((milestone, count) -> milestones.merge(milestone, count, Long::sum));
            hour.violation().ifPresent(violations::add);
            events += hour.events();
        }
        return new Result(events, milestones, violations);
    }
}
