package dev.incumbent.coordinator;

/**
 * A call that did not end in an answer. {@link #mayHaveApplied()} is told by phase (connecting, or sent), not by a driver's error class: when
 * in doubt it is true.
 */
public class CoordinatorException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final boolean mayHaveApplied;

    public CoordinatorException(String message, boolean mayHaveApplied) {
        super(message);
        this.mayHaveApplied = mayHaveApplied;
    }

    public CoordinatorException(String message, boolean mayHaveApplied, Throwable cause) {
        super(message, cause);
        this.mayHaveApplied = mayHaveApplied;
    }

    public boolean mayHaveApplied() {
        return mayHaveApplied;
    }
}
