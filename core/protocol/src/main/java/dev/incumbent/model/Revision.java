package dev.incumbent.model;

/**
 * One state of one record in its store: equal or not equal, never ordered, and never repeated, not even by a store that was
 * restored from a backup.
 */
public record Revision(String value) {
    /** The revision of a record that was never written. */
    public static final Revision ABSENT = new Revision("");

    @Override
    public String toString() {
        return value.isEmpty() ? "absent" : value;
    }
}
