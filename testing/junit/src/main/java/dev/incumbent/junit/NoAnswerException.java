package dev.incumbent.junit;

/** A store has not answered in time. What was asked for may have happened there, or may happen later, or never: read back what matters. */
public final class NoAnswerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NoAnswerException(String message) {
        super(message);
    }
}
