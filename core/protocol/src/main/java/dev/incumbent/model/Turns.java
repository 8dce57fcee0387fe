package dev.incumbent.model;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * In which order candidates claim a vacancy: those who are cordoned behind all others; then by what each tells of itself ({@link CandidateRank}), the greater priority first, then
 * the newer version, then whoever is in its preferred zone; then as they enlisted. All who see the same candidates see the same order. It only delays: somebody leads wherever a
 * candidate stands who is well and has every sink.
 */
public final class Turns {
    private static final Comparator<String> OLDEST_FIRST = new VersionComparator();

    private final Cordons cordons;

    private Turns(Cordons cordons) {
        this.cordons = cordons;
    }

    /** Those of an election. */
    public static Turns of(LeaderRecord record) {
        return new Turns(record.cordons());
    }

    /** What sets candidates apart, whoever came first. */
    private record Rank(boolean isCordoned, CandidateRank told) {
        static Comparator<Rank> first(boolean isOldestFirst) {
            return Comparator.comparing(Rank::isCordoned)
                    .thenComparing(rank -> rank.told().priority(), Comparator.reverseOrder())
                    .thenComparing(
                            rank -> rank.told().version(), isOldestFirst ? OLDEST_FIRST : OLDEST_FIRST.reversed())
                    .thenComparing(rank -> rank.told().isAway());
        }
    }

    /** Candidates, given as they enlisted, in the order of their turns. */
    public List<Enlisted> inOrder(List<Enlisted> candidates) {
        return byRank(candidates).values().stream().flatMap(List::stream).toList();
    }

    /**
     * After how many staggers that one of these candidates may claim. Of equals the first 2^k may after the k-th, so that one that is gone costs a stagger, and
     * few race. Whoever ranks lower comes a stagger after the last who ranks higher.
     */
    public int staggers(List<Enlisted> candidates, CandidateId who) {
        int before = 0;
        for (List<Enlisted> equals : byRank(candidates).values()) {
            int place = place(equals, who);
            if (place >= 0) {
                return before + staggers(place);
            }
            before += staggers(equals.size() - 1) + 1;
        }
        return before;
    }

    private SortedMap<Rank, List<Enlisted>> byRank(List<Enlisted> candidates) {
        SortedMap<Rank, List<Enlisted>> equals = new TreeMap<>(Rank.first(isOldestFirst(candidates)));
        candidates.forEach(one ->
                equals.computeIfAbsent(rank(one), first -> new ArrayList<>()).add(one));
        return equals;
    }

    private static boolean isOldestFirst(List<Enlisted> candidates) {
        List<CandidateRank> versioned = candidates.stream()
                .map(one -> one.candidate().rank())
                .filter(rank -> !rank.version().isEmpty())
                .toList();
        return !versioned.isEmpty() && versioned.stream().allMatch(CandidateRank::oldestFirst);
    }

    private Rank rank(Enlisted one) {
        return new Rank(cordons.cover(one.candidate()), one.candidate().rank());
    }

    private static int place(List<Enlisted> line, CandidateId who) {
        for (int i = 0; i < line.size(); i++) {
            if (line.get(i).candidate().id().equals(who)) {
                return i;
            }
        }
        return -1;
    }

    private static int staggers(int place) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(place);
    }
}
