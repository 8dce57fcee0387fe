package dev.incumbent.calls;

/** A failure as an adapter would tell it. */
final class Told extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final boolean mayHaveApplied;

    Told(String why, boolean mayHaveApplied) {
        super("the store " + why);
        this.mayHaveApplied = mayHaveApplied;
    }

    boolean mayHaveApplied() {
        return mayHaveApplied;
    }
}
