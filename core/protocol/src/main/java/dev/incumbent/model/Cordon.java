package dev.incumbent.model;

import java.time.Instant;
import java.util.Map;

/**
 * That certain candidates stand behind all others of an election: which, by whom, why and since when. A cordon only delays; it forbids nothing.
 *
 * @param whom a candidate's id, the name of candidates, or a host as candidates' ids contain it
 * @param why for people; at most 200 characters, none of them a control character
 * @param unknown fields that a later version wrote: name to raw JSON, carried through
 */
public record Cordon(String whom, String by, String why, Instant at, Map<String, String> unknown) {
    private static final int LONGEST_WHY = 200;

    public Cordon {
        Words.checked("who is cordoned", whom);
        Words.checked("who cordons", by);
        if (why.length() > LONGEST_WHY) {
            throw new IllegalArgumentException(
                    "why of a cordon has at most " + LONGEST_WHY + " characters, this one has " + why.length());
        }
        for (int i = 0; i < why.length(); i++) {
            if (Character.isISOControl(why.charAt(i))) {
                throw new IllegalArgumentException("why of a cordon has a control character at position " + (i + 1));
            }
        }
        unknown = Unknown.inAPart("a cordon", unknown);
    }

    public Cordon(String whom, String by, String why, Instant at) {
        this(whom, by, why, at, Map.of());
    }

    /** Does this cordon mean that candidate? */
    public boolean covers(Candidate one) {
        return one.id().value().equals(whom)
                || one.name().equals(whom)
                || one.id().host().filter(whom::equals).isPresent();
    }
}
