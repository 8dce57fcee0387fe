package dev.incumbent.fence;

/** The sink did not answer, or not in time, or asks to try again in a new transaction: not admitted, and nothing said of the token. */
public final class NotAdmittedException extends FenceException {
    private static final long serialVersionUID = 1L;

    public NotAdmittedException(String message) {
        super(message);
    }

    public NotAdmittedException(String message, Throwable cause) {
        super(message, cause);
    }
}
