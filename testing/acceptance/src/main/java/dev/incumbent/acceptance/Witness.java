package dev.incumbent.acceptance;

import dev.incumbent.Guard;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Sees all candidates of one election at once, all the time, and writes down what must not be: two that hold at one instant, a term that does not grow, and nobody leading for longer than is
 * allowed while the coordinator can serve.
 *
 * <p>Two hold at one instant if the one holds before and after the other was seen to hold: a leadership that ended never holds again. Thread-safe.
 */
final class Witness implements AutoCloseable {
    private static final long BETWEEN_LOOKS_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final double NANOS_PER_SECOND = 1e9;

    private final Timeline time;
    private final Duration longestVacancy;
    private final Overlaps overlaps = new Overlaps();
    private final List<String> repetitions = new ArrayList<>();
    private final List<String> vacancies = new ArrayList<>();
    private final Map<Phase, Long> longest = new EnumMap<>(Phase.class);
    private final Map<Long, String> begun = new HashMap<>();
    private Phase phase = Phase.HEALED;
    private String lastFault = "";
    private long vacantSinceNanos;
    private boolean isTold;
    private long greatest;
    private long lastBegun;
    private volatile boolean over;

    /** What the coordinator can do. */
    enum Phase {
        /** All members can serve. */
        HEALED,
        /** A majority can. */
        MINORITY_LOST,
        /** Nobody can: a vacancy is excused. */
        MAJORITY_LOST
    }

    Witness(Timeline time, Duration longestVacancy) {
        this.time = time;
        this.longestVacancy = longestVacancy;
        this.vacantSinceNanos = time.nanos();
    }

    void watchInBackground(List<Supplier<Optional<? extends Guard>>> candidates) {
        Thread thread = new Thread(
                () -> {
                    while (!over) {
                        look(candidates);
                        LockSupport.parkNanos(BETWEEN_LOOKS_NANOS);
                    }
                },
                "witness");
        thread.setDaemon(true);
        thread.start();
    }

    /** What befalls the coordinator now; a time without a leader is told with the last one. */
    synchronized void befalls(String fault) {
        lastFault = "; the last fault: " + fault;
    }

    /** From now on the coordinator can do that; a vacancy counts anew. */
    synchronized void becomes(Phase next) {
        phase = next;
        vacantSinceNanos = time.nanos();
        isTold = false;
    }

    /** While it lasts that the coordinator has no leader of its own, by its design, a vacancy is excused. */
    synchronized void excuses(boolean isHeadless) {
        if (isHeadless && phase == Phase.MINORITY_LOST) {
            becomes(Phase.MAJORITY_LOST);
        } else if (!isHeadless && phase == Phase.MAJORITY_LOST) {
            becomes(Phase.MINORITY_LOST);
        }
    }

    /** What the coordinator is known to do just now may let two lead at once: for that long it is measured instead. */
    synchronized void excusesOverlaps(Duration length) {
        overlaps.excuse(time.nanos(), length);
    }

    /** A leader's task begins. */
    synchronized void begins(Guard leadership, String who) {
        long token = leadership.token().value();
        String before = begun.putIfAbsent(token, who);
        if (before != null) {
            repetitions.add("term " + token + " began twice: for " + before + " and for " + who);
        }
        if (token < lastBegun && leadership.holds()) {
            repetitions.add("term " + token + " began after term " + lastBegun);
        }
        lastBegun = Math.max(lastBegun, token);
    }

    /** Looks once. */
    synchronized void look(List<Supplier<Optional<? extends Guard>>> candidates) {
        List<Guard> holding = new ArrayList<>();
        for (Supplier<Optional<? extends Guard>> one : candidates) {
            one.get().filter(Guard::holds).ifPresent(holding::add);
        }
        List<String> doubles = new ArrayList<>();
        for (int i = 1; i < holding.size(); i++) {
            Guard first = holding.get(i - 1);
            if (holding.get(i).holds() && first.holds()) {
                doubles.add("terms " + first.token().value() + " and "
                        + holding.get(i).token().value() + " lead at once");
            }
        }
        holding.forEach(leader -> grows(leader, doubles));
        overlaps.looked(time.nanos(), doubles);
        notice(holding.isEmpty());
    }

    private void grows(Guard leader, List<String> doubles) {
        long token = leader.token().value();
        if (token < greatest && leader.holds()) {
            doubles.add("term " + token + " leads after term " + greatest);
        }
        greatest = Math.max(greatest, token);
    }

    private void notice(boolean isVacant) {
        long now = time.nanos();
        if (!isVacant) {
            vacantSinceNanos = now;
            isTold = false;
            return;
        }
        long vacant = now - vacantSinceNanos;
        longest.merge(phase, vacant, Math::max);
        if (phase != Phase.MAJORITY_LOST && vacant > longestVacancy.toNanos() && !isTold) {
            isTold = true;
            vacancies.add("nobody has led for " + longestVacancy.toMillis() + " ms, the coordinator being " + phase
                    + lastFault);
        }
    }

    /** Is it so long now that nobody leads, and not excused? */
    synchronized boolean isTooLong() {
        return isTold;
    }

    /** Two at once, and not excused. */
    synchronized List<String> doubles() {
        return overlaps.unexcused();
    }

    /** How often two led at once and it was excused, and for how long at most; empty if never. */
    synchronized Optional<String> excusedDoubles() {
        return overlaps.excused() == 0
                ? Optional.empty()
                : Optional.of(overlaps.excused() + " times, for "
                        + overlaps.longestExcused().toMillis() + " ms at most");
    }

    /** Terms that began twice, or after a greater one. */
    synchronized List<String> repetitions() {
        return List.copyOf(repetitions);
    }

    /** The greatest term that began; 0 where none did. */
    synchronized long lastBegun() {
        return lastBegun;
    }

    /** Times without a leader that were too long. */
    synchronized List<String> vacancies() {
        return List.copyOf(vacancies);
    }

    /** How many terms began. */
    synchronized int terms() {
        return begun.size();
    }

    /** The longest time without a leader in that phase, in seconds; after a heal from the heal on. */
    synchronized double longestSeconds(Phase in) {
        return longest.getOrDefault(in, 0L) / NANOS_PER_SECOND;
    }

    @Override
    public void close() {
        over = true;
    }
}
