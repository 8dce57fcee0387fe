package dev.incumbent.model;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * A transfer that whoever leads then does, once: no sooner than {@code notBefore}, by the leader's own wall clock. It stands in the record until it is done, given up or taken
 * back, whoever leads meanwhile.
 *
 * @param by who planned it, unique for each planning: so that two of one content are told apart
 * @param to whom to hand over to: a candidate's id, or the name of one, looked up when it is due
 * @param at when it was planned; for people
 * @param unknown fields that a later version wrote: name to raw JSON, carried through
 */
public record PlannedTransfer(String by, String to, Instant notBefore, Instant at, Map<String, String> unknown) {
    /** A leader that finds it so much later gives it up: at another time of the day a transfer may do harm. */
    public static final Duration LAPSES_AFTER = Duration.ofHours(1);

    /** Versions that know no plans carry it through as one field, whose bound the cordons leave that much of, and more. */
    private static final int LONGEST = 3_072;

    /** The names of the fields, what stands between them, and the times. */
    private static final int FRAME = 160;

    public PlannedTransfer {
        Words.checked("who plans a transfer", by);
        Words.checked("the successor of a planned transfer", to);
        unknown = Unknown.inAPart("a planned transfer", unknown);
        int length = FRAME + Words.written(by) + Words.written(to) + Unknown.written(unknown);
        if (length > LONGEST) {
            throw new IllegalArgumentException("a planned transfer is written in at most " + LONGEST
                    + " characters, this one in " + length + ": to '" + to + "', by '" + by + "'");
        }
    }

    public PlannedTransfer(String by, String to, Instant notBefore, Instant at) {
        this(by, to, notBefore, at, Map.of());
    }

    /** Does it mean that candidate, by its id or its name? */
    public boolean means(Candidate one) {
        return one.id().value().equals(to) || one.name().equals(to);
    }

    /** Has its time come? */
    public boolean isDue(Instant now) {
        return !now.isBefore(notBefore);
    }

    /** Is it too late for it? */
    public boolean hasLapsed(Instant now) {
        return now.minus(LAPSES_AFTER).isAfter(notBefore);
    }
}
