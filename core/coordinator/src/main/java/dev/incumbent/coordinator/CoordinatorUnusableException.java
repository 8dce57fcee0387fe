package dev.incumbent.coordinator;

/**
 * This coordinator cannot be used as it is configured or as it stands: a malformed URI, a corrupt file, missing rights. Trying again without
 * a change does not help; the message is one sentence that names what, which and both values.
 */
public final class CoordinatorUnusableException extends CoordinatorException {
    private static final long serialVersionUID = 1L;

    public CoordinatorUnusableException(String message) {
        super(message, false);
    }

    public CoordinatorUnusableException(String message, Throwable cause) {
        super(message, false, cause);
    }
}
