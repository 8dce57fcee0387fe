package dev.incumbent.simulation;

/** An invariant did not hold: which, and how. */
public final class Violation extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final String invariant;
    private final long atNanos;

    Violation(String invariant, long atNanos, String how) {
        super(how);
        this.invariant = invariant;
        this.atNanos = atNanos;
    }

    public String invariant() {
        return invariant;
    }

    /** True time. */
    public long atNanos() {
        return atNanos;
    }
}
