package dev.incumbent.simulation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Many worlds, their seeds derived from one base. Each world is single-threaded and knows of no other, so that they run on as many threads as are given,
 * and what comes of them depends on the base and the number alone. One seed in fifty runs twice: same seed, same history.
 *
 * @param base what the seeds are derived from: a commit's hash, or a random number that is told
 * @param jobs how many threads
 */
public record Batch(long base, int jobs) {
    /** The invariant that fails where a seed's second run differs from its first. */
    static final String SAME_SEED_SAME_HISTORY = "SameSeedSameHistory";

    private static final int ONE_IN_TWICE = 50;
    private static final int TOLD_VIOLATIONS = 100;

    public Batch {
        if (jobs < 1) {
            throw new IllegalArgumentException("a batch runs on at least one thread, not " + jobs);
        }
    }

    /** The i-th seed of a base. */
    public static long seed(long base, long i) {
        return Draws.mix(base, i);
    }

    /**
     * What came of a batch.
     *
     * @param seeds how many were run; fewer than asked where there was no time for more
     * @param violations those of the smallest indices, at most a hundred; {@code violated} counts them all
     * @param milestones how often each was reached, over all worlds
     * @param hash of all histories, whatever the number of threads
     */
    public record Result(
            long seeds,
            long simulatedNanos,
            long events,
            long violated,
            List<Ending> violations,
            Map<Milestone, Long> milestones,
            long hash) {
        /** The required milestones that no world reached, or the rare ones. */
        public List<Milestone> missed(boolean rare) {
            return of(rare).filter(m -> !milestones.containsKey(m)).toList();
        }

        /** How many of the required milestones were reached, or of the rare ones. */
        public long hit(boolean rare) {
            return of(rare).filter(milestones::containsKey).count();
        }

        private static Stream<Milestone> of(boolean rare) {
            return Arrays.stream(Milestone.values()).filter(m -> m.isRare() == rare);
        }

        /** Nothing violated, and every required milestone reached. */
        public boolean isGood() {
            return violated == 0 && missed(false).isEmpty();
        }
    }

    /**
     * Runs seeds 0 to {@code seeds} - 1 of the base, on threads of its own, and waits for them.
     *
     * @param enough asked before each seed, by any of the threads, with the nanoseconds simulated so far: true lets no further one begin
     * @param done told after each seed how many have ended, by one thread at a time
     */
    public Result run(long seeds, LongPredicate enough, LongConsumer done) {
        Sum sum = new Sum(done);
        AtomicLong next = new AtomicLong();
        ExecutorService threads = Executors.newFixedThreadPool(jobs);
        try {
            List<CompletableFuture<Void>> all = IntStream.range(0, jobs)
                    .mapToObj(job -> CompletableFuture.runAsync(() -> work(next, seeds, enough, sum), threads))
                    .toList();
            all.forEach(CompletableFuture::join);
        } finally {
            threads.shutdownNow();
        }
        return sum.result();
    }

    /** Runs them all, and tells nobody meanwhile. */
    public Result run(long seeds) {
        return run(seeds, nanos -> false, done -> {});
    }

    private void work(AtomicLong next, long seeds, LongPredicate enough, Sum sum) {
        while (!enough.test(sum.simulatedNanos())) {
            long i = next.getAndIncrement();
            if (i >= seeds) {
                return;
            }
            Ending ending = Worlds.run(seed(base, i));
            sum.add(i, i % ONE_IN_TWICE == 0 ? again(ending) : ending);
        }
    }

    private static Ending again(Ending once) {
        Ending twice = Worlds.run(once.seed());
        if (once.violation().isPresent() || (twice.hash() == once.hash() && twice.events() == once.events())) {
            return once;
        }
        String how = "hash %016x after %d events, then %016x after %d"
                .formatted(once.hash(), once.events(), twice.hash(), twice.events());
        return once.violating(new Violation(SAME_SEED_SAME_HISTORY, once.simulatedNanos(), how));
    }

    /** What has come of it so far. */
    private static final class Sum {
        private final LongConsumer done;
        private final Map<Long, Ending> violations = new TreeMap<>();
        private final Map<Milestone, Long> milestones = new EnumMap<>(Milestone.class);
        private long seeds;
        private long simulatedNanos;
        private long events;
        private long violated;
        private long hash;

        Sum(LongConsumer done) {
            this.done = done;
        }

        synchronized void add(long i, Ending ending) {
            seeds++;
            simulatedNanos += ending.simulatedNanos();
            events += ending.events();
            hash += Draws.mix(ending.seed(), ending.hash());
            ending.milestones().forEach((milestone, count) -> milestones.merge(milestone, count, Long::sum));
            if (ending.violation().isPresent()) {
                violated++;
                violations.put(i, ending);
            }
            done.accept(seeds);
        }

        synchronized long simulatedNanos() {
            return simulatedNanos;
        }

        synchronized Result result() {
            List<Ending> first = new ArrayList<>(violations.values());
            List<Ending> told = first.subList(0, Math.min(TOLD_VIOLATIONS, first.size()));
            return new Result(seeds, simulatedNanos, events, violated, List.copyOf(told), milestones, hash);
        }
    }
}
