package dev.incumbent.model;

/** The id of one lease, given by its coordinator and never granted again. */
public record LeaseId(String value) implements Comparable<LeaseId> {
    public LeaseId {
        Words.checked("a lease id", value);
    }

    @Override
    public int compareTo(LeaseId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
