package dev.incumbent.fence;

/** There is no transaction, so the admission would end before the write begins. SQL code {@code IF003}. */
public final class NoTransactionException extends FenceException {
    private static final long serialVersionUID = 1L;

    public NoTransactionException(String message) {
        super(message);
    }
}
