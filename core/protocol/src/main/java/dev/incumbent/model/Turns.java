package dev.incumbent.model;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * In which order candidates claim a vacancy: those who are cordoned behind all others; then by {@link Candidate#priority()}, the greatest first; then as they
 * enlisted. It only delays: somebody leads wherever a candidate stands who is well and has every sink.
 */
public final class Turns {
    private final Cordons cordons;

    private Turns(Cordons cordons) {
        this.cordons = cordons;
    }

    /** Those of an election. */
    public static Turns of(LeaderRecord record) {
        return new Turns(record.cordons());
    }

    /** What sets candidates apart, whoever came first. */
    private record Rank(boolean isCordoned, int priority) implements Comparable<Rank> {
        private static final Comparator<Rank> FIRST =
                Comparator.comparing(Rank::isCordoned).thenComparing(Rank::priority, Comparator.reverseOrder());

        @Override
        public int compareTo(Rank other) {
            return FIRST.compare(this, other);
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
        SortedMap<Rank, List<Enlisted>> equals = new TreeMap<>();
        candidates.forEach(one ->
                equals.computeIfAbsent(rank(one), first -> new ArrayList<>()).add(one));
        return equals;
    }

    private Rank rank(Enlisted one) {
        Candidate candidate = one.candidate();
        return new Rank(cordons.cover(candidate), candidate.priority());
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
