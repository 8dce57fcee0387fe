package dev.incumbent.model;

/** One leadership of one election; its number only grows, for ever. */
public record Term(ElectionName election, long number, Candidate leader) {
    public Term {
        if (number < 1) {
            throw new IllegalArgumentException("a term of " + election + " is at least 1, this one is " + number);
        }
    }

    /** What the leader shows to the sinks. */
    public FencingToken token() {
        return new FencingToken(number);
    }

    @Override
    public String toString() {
        return "term " + number + " of " + election;
    }
}
