package dev.incumbent.health;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Does the work go on? Each piece of work that is under way must beat, at least once in a while; one that hangs does not. Where nothing is under way, it is well:
 * a candidate that does not lead has nothing to do.
 *
 * <pre>{@code
 * try (Beat.Work work = beat.begin()) {
 *     while (ledger.more() && leadership.holds()) {
 *         ledger.append(leadership);
 *         work.beat();
 *     }
 * }
 * }</pre>
 *
 * <p>To beat reads no clock: that a piece of work has beaten is seen at the next question, so a silence counts from then. Thread-safe.
 */
public final class Beat implements HealthCheck {
    private final long longestNanos;
    private final Set<Work> open = ConcurrentHashMap.newKeySet();
    /** Touched by questions alone, which come one at a time. */
    private final Map<Work, Seen> seen = new HashMap<>();

    /** How often a piece of work had beaten, and at which question that was new. */
    private record Seen(long beats, long atNanos) {}

    private Beat(Duration longest) {
        this.longestNanos = longest.toNanos();
    }

    /** Sick once a piece of work has not beaten for so long. */
    public static Beat within(Duration longest) {
        if (longest.isNegative() || longest.isZero()) {
            throw new IllegalArgumentException("work needs time between two beats; this is none: " + longest);
        }
        return new Beat(longest);
    }

    /** A piece of work begins, and must beat until it is closed. */
    public Work begin() {
        if (open.size() >= Bounds.MOST_WORKS) {
            throw new IllegalStateException(
                    Bounds.MOST_WORKS + " pieces of work are under way already; close those that have ended");
        }
        Work begun = new Work();
        open.add(begun);
        return begun;
    }

    @Override
    public String name() {
        return "work";
    }

    @Override
    public Answer ask(long nanos) {
        seen.keySet().retainAll(open);
        long longest = 0;
        for (Work work : open) {
            long beats = work.beats;
            Seen now = seen.merge(
                    work, new Seen(beats, nanos), (before, next) -> before.beats() == next.beats() ? before : next);
            longest = Math.max(longest, nanos - now.atNanos());
        }
        if (longest > longestNanos) {
            return Answer.sick("has not beaten for " + Amounts.seconds(longest) + ", longer than "
                    + Amounts.seconds(longestNanos));
        }
        return Answer.well(seen.isEmpty() ? "is not under way" : "goes on");
    }

    /** One piece of work. Thread-safe; beats that coincide may count as one. */
    public final class Work implements AutoCloseable {
        private volatile long beats;

        private Work() {}

        /** It goes on. Costs one write. */
        @SuppressWarnings("NonAtomicVolatileUpdate") // that it changes is enough
        public void beat() {
            beats++;
        }

        /** It has ended. May be called twice. */
        @Override
        public void close() {
            open.remove(this);
        }
    }
}
