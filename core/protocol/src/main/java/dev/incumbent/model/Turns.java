package dev.incumbent.model;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * In which order candidates claim a vacancy: those who are cordoned behind all others; then by what each tells of itself ({@link CandidateRank}), the greater priority first, then
 * the newer version, then whoever is in its preferred zone, then whoever has come further, then whoever leads fewer elections; then as they enlisted. All who see the same candidates see the same order. It only
 * delays: somebody leads wherever a candidate stands who is well and has every sink.
 */
public final class Turns {
    private static final long UNKNOWN = -1;
    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;
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
    private record Rank(boolean isCordoned, CandidateRank told, long position, long leads) {
        /** All versions write it so: records hold the fingerprint of such texts. */
        String fingerprinted() {
            return "Rank[isCordoned=" + isCordoned + ", told=" + told + ", position=" + position + "]";
        }

        static Comparator<Rank> first(boolean isOldestFirst) {
            return Comparator.comparing(Rank::isCordoned)
                    .thenComparing(rank -> rank.told().priority(), Comparator.reverseOrder())
                    .thenComparing(
                            rank -> rank.told().version(), isOldestFirst ? OLDEST_FIRST : OLDEST_FIRST.reversed())
                    .thenComparing(rank -> rank.told().isAway())
                    .thenComparing(Rank::position, Comparator.reverseOrder())
                    .thenComparing(Rank::leads);
        }
    }

    /** Candidates, given as they enlisted, in the order of their turns. */
    public List<Enlisted> inOrder(List<Enlisted> candidates) {
        return byRank(candidates, this::rank).values().stream()
                .flatMap(List::stream)
                .toList();
    }

    /**
     * After how many staggers that one of these candidates may claim. Of equals the first 2^k may after the k-th, so that one that is gone costs a stagger, and
     * few race. Whoever ranks lower comes a stagger after the last who ranks higher.
     */
    public int staggers(List<Enlisted> candidates, CandidateId who) {
        int before = 0;
        for (List<Enlisted> equals : byRank(candidates, this::rank).values()) {
            int place = place(equals, who);
            if (place >= 0) {
                return before + staggers(place);
            }
            before += staggers(equals.size() - 1) + 1;
        }
        return before;
    }

    /** Those who rank before that one, in the order of their turns; not those who merely stand longer, have come further or lead fewer. Empty where that one is not among them. */
    public List<Enlisted> betterThan(CandidateId who, List<Enlisted> candidates) {
        List<Enlisted> better = new ArrayList<>();
        for (List<Enlisted> equals : byRank(candidates, this::lastingRank).values()) {
            if (place(equals, who) >= 0) {
                return inOrder(candidates).stream().filter(better::contains).toList();
            }
            better.addAll(equals);
        }
        return List.of();
    }

    /** A fingerprint of all that the ranks of these candidates depend on, in whatever order they are listed: who they are, what each tells of its rank, and who is cordoned. */
    public String inputs(List<Enlisted> candidates) {
        return fingerprint(candidates.stream()
                .map(one -> one.candidate().id() + " " + lastingRank(one).fingerprinted())
                .sorted()
                .collect(Collectors.joining("\n")));
    }

    /** Sixteen hexadecimal digits of that text, by FNV-1a. */
    static String fingerprint(String text) {
        long hash = FNV_OFFSET;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * FNV_PRIME;
        }
        return "%016x".formatted(hash);
    }

    private static SortedMap<Rank, List<Enlisted>> byRank(List<Enlisted> candidates, Function<Enlisted, Rank> ranked) {
        SortedMap<Rank, List<Enlisted>> equals = new TreeMap<>(Rank.first(isOldestFirst(candidates)));
        candidates.forEach(one -> equals.computeIfAbsent(ranked.apply(one), first -> new ArrayList<>())
                .add(one));
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
        Candidate candidate = one.candidate();
        return new Rank(
                cordons.cover(candidate), candidate.rank(), candidate.position().orElse(UNKNOWN), candidate.leads());
    }

    /** Without what changes all the time. */
    private Rank lastingRank(Enlisted one) {
        return new Rank(cordons.cover(one.candidate()), one.candidate().rank(), UNKNOWN, 0);
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
