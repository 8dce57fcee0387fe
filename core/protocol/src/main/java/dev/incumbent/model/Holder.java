package dev.incumbent.model;

import java.util.Map;

/**
 * A process that has claimed a term and may still act in it: it has not vacated after its task had returned, and nothing has shown that it is off.
 *
 * @param term the number that it claimed; no two holders of a record share one
 * @param on where it ran when it claimed
 * @param unknown fields that a later version wrote: name to raw JSON, carried through
 */
public record Holder(long term, CandidateId candidate, NodeBoot on, Map<String, String> unknown) {
    public Holder {
        if (term < 1) {
            throw new IllegalArgumentException("a holder's term is at least 1, this one is " + term);
        }
        unknown = Unknown.inAPart("a holder", unknown);
    }

    public Holder(long term, CandidateId candidate, NodeBoot on) {
        this(term, candidate, on, Map.of());
    }

    @Override
    public String toString() {
        return "term " + term + " of " + candidate + " on " + on;
    }
}
