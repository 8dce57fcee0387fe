package dev.incumbent.fence;

/** A sink that could not be reached, read or raised in time; it may have applied. The message names the sink without credentials. */
public final class SinkException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public SinkException(String message) {
        super(message);
    }

    public SinkException(String message, Throwable cause) {
        super(message, cause);
    }
}
