package dev.incumbent.model;

/** One period of leadership in one election. Each term of an election has a greater number than the one before, for ever. */
public record Term(ElectionName election, long number, Candidate leader) {
    public Term {
        if (number < 1) {
            throw new IllegalArgumentException("a term of " + election + " is at least 1, this one is " + number);
        }
    }

    /** The number of this term, as the leader shows it to the sinks. */
    public FencingToken token() {
        return new FencingToken(number);
    }

    @Override
    public String toString() {
        return "term " + number + " of " + election;
    }
}
