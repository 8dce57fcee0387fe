package dev.incumbent.model;

/** The id of a sink, born with it and kept in it, so that no URL or alias changes it. */
public record SinkId(String value) implements Comparable<SinkId> {
    public SinkId {
        Words.checked("a sink id", value);
    }

    @Override
    public int compareTo(SinkId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
