package dev.incumbent.protocol;

import dev.incumbent.model.CandidateId;
import dev.incumbent.model.Sorted;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which processes this one has itself heard to lead, or to claim, and each in which term; no more of them than may still matter.
 *
 * @param terms by process the term that it told last
 */
public record Heard(Map<CandidateId, Long> terms) {
    static final Heard NOBODY = new Heard(Map.of());

    /** More claim at once only where somebody tells what is not so. */
    private static final int MOST = 16;

    public Heard {
        terms = Sorted.copyOf(terms);
    }

    /** It tells that term; what was told of terms before the one known matters no more. */
    Heard by(CandidateId leader, long term, long known) {
        Map<CandidateId, Long> next = new TreeMap<>(terms);
        next.put(leader, term);
        next.values().removeIf(told -> told < known);
        if (next.size() > MOST) {
            next.entrySet().stream()
                    .min(Map.Entry.comparingByValue(Comparator.naturalOrder()))
                    .ifPresent(oldest -> next.remove(oldest.getKey()));
        }
        return new Heard(next);
    }

    /** Has that process told that term, and no other since? */
    public boolean is(CandidateId leader, long term) {
        return terms.getOrDefault(leader, 0L) == term;
    }
}
