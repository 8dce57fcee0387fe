package dev.incumbent.wire;

/** A URI that is not understood, or asks for what there is not: one sentence that says what to write, and shows no secret. */
public final class UriException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    UriException(String message) {
        super(message);
    }
}
