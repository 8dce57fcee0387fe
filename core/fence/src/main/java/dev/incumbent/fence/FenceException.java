package dev.incumbent.fence;

/** A sink's refusal, or its failure to answer. */
public abstract sealed class FenceException extends Exception
        permits StaleTokenException, NotRaisedException, NoTransactionException, NotAdmittedException {
    private static final long serialVersionUID = 1L;

    FenceException(String message) {
        super(message);
    }

    FenceException(String message, Throwable cause) {
        super(message, cause);
    }
}
