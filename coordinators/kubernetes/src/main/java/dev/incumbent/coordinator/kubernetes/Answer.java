package dev.incumbent.coordinator.kubernetes;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the API server answered: a code, and an object or what it says of the failure. */
record Answer(int code, String body) {
    static final int CONFLICT = 409;
    static final int ABSENT = 404;
    static final int UNPROCESSABLE = 422;
    static final int GONE = 410;
    private static final String NOT_FOUND = "NotFound";

    boolean isGood() {
        return code >= 200 && code < 300;
    }

    /** Whatever it was asked to do, it has not done. */
    boolean isRefusal() {
        return code >= 400 && code < 500;
    }

    /** There is no such object. A server that does not know our kind of object answers 404 too, in other words. */
    boolean isAbsent() {
        return code == ABSENT && body.contains(NOT_FOUND);
    }

    Stored object() {
        return Stored.of(Document.read(body));
    }

    /** The items of a list. */
    List<Stored> items() {
        return Document.list(Document.read(body), "items").stream()
                .map(Stored::of)
                .toList();
    }

    /** The position of a list. */
    long position() {
        Map<String, Object> metadata = Document.map(Document.read(body), "metadata");
        return Stored.position(Document.text(metadata, "resourceVersion").orElse(""));
    }

    /** Why, in the server's words. */
    String message() {
        try {
            Optional<String> message = Document.text(Document.read(body), "message");
            return message.filter(it -> !it.isBlank()).orElse("HTTP " + code);
        } catch (IllegalArgumentException notOfKubernetes) {
            return "HTTP " + code;
        }
    }
}
