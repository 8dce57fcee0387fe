package dev.incumbent.spring;

/** A {@link LeaderOnly} method that owes its caller a result was called while this process does not lead. Nothing was done. */
public final class NotLeaderException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    NotLeaderException(String message) {
        super(message);
    }
}
