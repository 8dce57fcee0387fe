package dev.incumbent.quorum;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Decides when the level may rise; used by whoever leads. No clock, no thread, nothing is sent from here. Not thread-safe.
 *
 * <p>Two steps, for a node may be started again with an older build at any time. First every voter says, in this start of its process, which level it
 * supports. Then every voter's disk is bound to the next level, durably, so that older builds refuse it. Only then the entry is written that raises the level.
 * Until the first disk is bound nothing has changed, and the way back is open.
 *
 * <p>A change of the membership and a rise exclude one another: else a voter might come in that the rise never asked.
 */
final class Ascent {
    private final Map<String, Report> reports = new HashMap<>();
    private Set<String> voters = Set.of();
    private int changes;
    private boolean isRising;

    /**
     * What a voter said of itself.
     *
     * @param voter its name and its disk, as the configuration names it
     * @param start one start of its process
     * @param supports the highest level that this process knows
     * @param bound the level that its disk is bound to
     */
    record Report(String voter, String start, int supports, int bound) {}

    /** What is to be done next. */
    sealed interface Step {
        /** Nothing, for that reason. */
        record Wait(String why) implements Step {}

        /** Those starts are told to bind their disks to that level. */
        record Bind(int level, List<Report> disks) implements Step {}

        /** The entry that raises the level to that is written, and {@link #risen} follows in any case. */
        record Raise(int level) implements Step {}
    }

    /** These are the voters now. Of others nothing is known any more. */
    void configured(Set<String> now) {
        voters = Set.copyOf(now);
        reports.keySet().retainAll(voters);
    }

    /** It does not lead, or no longer: what it was told counts no more. */
    void follows() {
        voters = Set.of();
        reports.clear();
    }

    /** A voter told this now. Whatever another start of its process told is forgotten with it. */
    void reported(Report report) {
        if (voters.contains(report.voter())) {
            reports.put(report.voter(), report);
        }
    }

    /** A voter was asked, and told nothing: it may be on its way to another build. */
    void silent(String voter) {
        reports.remove(voter);
    }

    /** A change of the membership is to begin; false while the level is rising. {@link #changed} follows where it is true. */
    boolean changes() {
        if (isRising) {
            return false;
        }
        changes++;
        return true;
    }

    /** A change of the membership has ended, or came to nothing. */
    void changed() {
        changes--;
    }

    /** The entry that was to raise the level was applied, or its fate is left to whoever leads now. */
    void risen() {
        isRising = false;
    }

    /** From that level. */
    Step next(int level) {
        Optional<Step> obstacle = obstacle();
        if (obstacle.isPresent()) {
            return obstacle.get();
        }
        int next = reports.values().stream().mapToInt(Report::supports).min().orElse(0);
        if (next <= level) {
            return new Step.Wait("the level is " + level + ", and " + of(next) + " support none above " + next);
        }
        List<Report> unbound =
                reports.values().stream().filter(one -> one.bound() < next).toList();
        if (!unbound.isEmpty()) {
            return new Step.Bind(next, unbound);
        }
        isRising = true;
        return new Step.Raise(next);
    }

    private Optional<Step> obstacle() {
        if (voters.isEmpty()) {
            return Optional.of(new Step.Wait("this node does not lead"));
        }
        if (isRising || changes > 0) {
            return Optional.of(new Step.Wait(isRising ? "the level is rising" : "the membership is changing"));
        }
        Set<String> missing = new TreeSet<>(voters);
        missing.removeAll(reports.keySet());
        return missing.isEmpty()
                ? Optional.empty()
                : Optional.of(new Step.Wait("voters " + missing + " have not said what they support"));
    }

    private Set<String> of(int supported) {
        Set<String> names = new TreeSet<>();
        reports.values().stream().filter(one -> one.supports() == supported).forEach(one -> names.add(one.voter()));
        return names;
    }
}
