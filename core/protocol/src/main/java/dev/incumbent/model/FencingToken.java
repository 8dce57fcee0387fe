package dev.incumbent.model;

/** A term's number, as shown to a sink: 1 to 2^63-1, growing for ever within one election. */
public record FencingToken(long value) implements Comparable<FencingToken> {
    public FencingToken {
        if (value < 1) {
            throw new IllegalArgumentException("a fencing token is at least 1, this one is " + value);
        }
    }

    @Override
    public int compareTo(FencingToken other) {
        return Long.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }
}
