package dev.incumbent.agent.elections;

import dev.incumbent.model.ElectionName;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The newest report of each election, for a while. Owned by the strand.
 *
 * @param <T> what is reported
 */
final class RecentReports<T> {
    /** For so long a report counts. */
    static final Duration COUNTS_FOR = Duration.ofMinutes(10);

    private final int most;
    /** The oldest comes first. */
    private final Map<ElectionName, Report<T>> newest = new LinkedHashMap<>();

    private record Report<T>(T what, long atNanos) {}

    /** Remembers so many elections at once. */
    RecentReports(int most) {
        this.most = most;
    }

    void add(ElectionName election, T what, long nowNanos) {
        newest.remove(election);
        newest.put(election, new Report<>(what, nowNanos));
        if (newest.size() > most) {
            newest.remove(newest.keySet().iterator().next());
        }
    }

    Optional<T> of(ElectionName election, long nowNanos) {
        return Optional.ofNullable(newest.get(election))
                .filter(report -> counts(report, nowNanos))
                .map(Report::what);
    }

    /** The elections of which some count. */
    Set<ElectionName> elections(long nowNanos) {
        newest.values().removeIf(report -> !counts(report, nowNanos));
        return new TreeSet<>(newest.keySet());
    }

    private static boolean counts(Report<?> report, long nowNanos) {
        return nowNanos - report.atNanos() < COUNTS_FOR.toNanos();
    }
}
