package dev.incumbent.model;

import java.time.Instant;
import java.util.Map;

/**
 * Why a holder can act no more: what showed it, to whom and when. It stays with the holder's term in the history.
 *
 * @param by the candidate that saw it, or who confirmed it
 * @param why for people; at most 200 characters, none of them a control character
 * @param unknown fields that a later version wrote: name to raw JSON, carried through
 */
public record HolderProof(Kind kind, String by, String why, Instant at, Map<String, String> unknown) {
    private static final int LONGEST_WHY = 200;

    /** What showed it. */
    public enum Kind {
        /** A fence agent has turned its node off, and has seen it off. */
        OFF,
        /** On its node, in its boot, its process is no more. */
        ABSENT,
        /** Its node has booted since. */
        REBOOTED,
        /** Its own process says that its task has returned. */
        RETURNED,
        /** A person says so. */
        CONFIRMED
    }

    public HolderProof {
        Words.checked("who proves that a holder acts no more", by);
        if (why.length() > LONGEST_WHY) {
            throw new IllegalArgumentException(
                    "why of a proof has at most " + LONGEST_WHY + " characters, this one has " + why.length());
        }
        for (int i = 0; i < why.length(); i++) {
            if (Character.isISOControl(why.charAt(i))) {
                throw new IllegalArgumentException("why of a proof has a control character at position " + (i + 1));
            }
        }
        unknown = Unknown.inAPart("a proof", unknown);
    }

    public HolderProof(Kind kind, String by, String why, Instant at) {
        this(kind, by, why, at, Map.of());
    }
}
