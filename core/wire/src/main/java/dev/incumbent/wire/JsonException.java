package dev.incumbent.wire;

import java.io.IOException;

/** A text is no JSON as it is read here. The message says where, and repeats nothing of the text but a field's name. */
public final class JsonException extends IOException {
    private static final long serialVersionUID = 1L;

    JsonException(String message) {
        super(message);
    }
}
