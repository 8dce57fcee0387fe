package dev.incumbent.supervisor;

/** No supervisor can be had here: no compiler, no folder to build in, or it would not start. Nothing was run. */
public final class SupervisorUnavailableException extends Exception {
    private static final long serialVersionUID = 1L;

    public SupervisorUnavailableException(String message) {
        super(message);
    }

    public SupervisorUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
