package dev.incumbent.model;

/** The token that a sink was raised to for an election, and whose it is. */
public record Mark(FencingToken token, MarkOwner owner) {
    /** The mark of a term, as its leader raises it. */
    public static Mark of(Term term) {
        return new Mark(term.token(), MarkOwner.ofCandidate(term.leader().id()));
    }

    @Override
    public String toString() {
        return token + " of " + owner;
    }
}
