package dev.incumbent.simulation;

import dev.incumbent.beats.Rhythm;
import java.time.Duration;
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
import java.util.stream.LongStream;

/**
 * Hours in which nothing fails: three processes hear each other at the usual rhythm over a network of a millisecond, and each of them stands still now and then for some milliseconds, as every process does. Whoever is preempted there lived.
 *
 * @param base what the hours' seeds are derived from
 * @param longest no process stands still for longer
 */
public record CalmHours(long base, Duration longest) {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;
    private static final long HOUR = 3_600 * SECOND;
    private static final long LEASE = 15 * SECOND;
    private static final int PROCESSES = 3;
    /** Each stands still about once in so long; nine times of ten for a tenth of the longest at the most. */
    private static final long DELAY_EVERY = 3 * SECOND;

    public CalmHours {
        if (longest.isNegative() || longest.compareTo(Duration.ofSeconds(10)) > 0) {
            throw new IllegalArgumentException("a delay is 0 to 10 s long, not " + longest);
        }
    }

    /**
     * What came of them.
     *
     * @param preempted leaders whose terms were taken while their leases lived
     * @param violations of any invariant
     */
    public record Result(long hours, long events, long preempted, List<Violation> violations) {}

    /**
     * Runs so many of them, and waits for them.
     *
     * @param jobs how many threads
     * @param done told after each how many have ended, by one thread at a time
     */
    public Result run(int hours, int jobs, LongConsumer done) {
        AtomicLong ended = new AtomicLong();
        ExecutorService threads = Executors.newFixedThreadPool(jobs);
        try {
            List<CompletableFuture<Ending>> all = LongStream.range(0, hours)
                    .mapToObj(i -> CompletableFuture.supplyAsync(() -> told(hour(i), ended, done), threads))
                    .toList();
            return sum(all.stream().map(CompletableFuture::join).toList());
        } finally {
            threads.shutdownNow();
        }
    }

    private static Ending told(Ending ending, AtomicLong ended, LongConsumer done) {
        synchronized (ended) {
            done.accept(ended.incrementAndGet());
        }
        return ending;
    }

    /** One of them. */
    Ending hour(long number) {
        long seed = Draws.mix(base, number);
        Set<Fault.Kind> kinds = EnumSet.of(Fault.Kind.HEARD);
        Profile profile = new Profile(seed, PROCESSES, 1, LEASE, MILLI, HOUR, DELAY_EVERY, kinds, false, false);
        World world = new World(profile, delays(seed), Canary.NONE, Worlds.UNTRACED, Optional.of(Rhythm.DEFAULT));
        Optional<Violation> violation = world.run();
        return new Ending(seed, world.events(), world.now(), world.hash(), world.milestones(), violation);
    }

    private List<Fault> delays(long seed) {
        Draws draws = new Draws(Draws.mix(seed, 83), 1);
        List<Fault> delays = new ArrayList<>();
        long at = DELAY_EVERY;
        while (at < HOUR && !longest.isZero()) {
            long most = Math.max(1, draws.oneIn(0, 10) ? longest.toNanos() : longest.toNanos() / 10);
            int node = (int) draws.below(0, PROCESSES);
            delays.add(new Fault(at, Fault.Kind.HEARD, node, draws.between(0, 1, most), PeerFaults.READS_NOTHING));
            at += draws.between(0, 1, 2 * DELAY_EVERY / PROCESSES);
        }
        return delays;
    }

    private static Result sum(List<Ending> hours) {
        return new Result(
                hours.size(),
                hours.stream().mapToLong(Ending::events).sum(),
                hours.stream()
                        .mapToLong(hour -> hour.milestones().getOrDefault(Milestone.PREEMPTED, 0L))
                        .sum(),
                hours.stream().flatMap(hour -> hour.violation().stream()).toList());
    }
}
