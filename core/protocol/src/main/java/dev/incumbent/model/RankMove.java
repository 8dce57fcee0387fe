package dev.incumbent.model;

import java.util.Map;

/**
 * The last time that a leader handed over to a named successor: by itself, to a better rank, or because somebody asked for it. So a move by itself is done once for each change of what
 * ranks depend on, and undoes no transfer before such a change.
 *
 * @param inputs what the ranks depended on then, as {@link Turns#inputs} tells it
 * @param to a fingerprint of the successor's id
 * @param lasted the successor has led for a lease; a later change of the inputs forgets the move
 * @param unknown fields that a later version wrote: name to raw JSON, carried through
 */
public record RankMove(String inputs, String to, boolean lasted, Map<String, String> unknown) {
    /** Versions that know no moves carry it through as one field, whose bound the cordons and a planned transfer leave that much of, and more. */
    private static final int LONGEST = 768;

    /** The names of the fields, and what stands between them. */
    private static final int FRAME = 64;

    public RankMove {
        Words.checked("what ranks depend on", inputs);
        Words.checked("a fingerprint", to);
        unknown = Unknown.inAPart("a move", unknown);
        int length = FRAME + Words.written(inputs) + Words.written(to) + Unknown.written(unknown);
        if (length > LONGEST) {
            throw new IllegalArgumentException(
                    "a move is written in at most " + LONGEST + " characters, this one in " + length);
        }
    }

    /** One that was done just now, with these inputs, to that successor. */
    public static RankMove to(CandidateId successor, String inputs) {
        return new RankMove(inputs, Turns.fingerprint(successor.value()), false, Map.of());
    }

    /** Was it done to that candidate? */
    public boolean isTo(CandidateId candidate) {
        return to.equals(Turns.fingerprint(candidate.value()));
    }

    /** This, once its successor has led for a lease. */
    public RankMove havingLasted() {
        return new RankMove(inputs, to, true, unknown);
    }
}
