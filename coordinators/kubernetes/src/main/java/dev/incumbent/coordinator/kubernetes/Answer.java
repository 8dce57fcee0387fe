package dev.incumbent.coordinator.kubernetes;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * What the API server answered: a code, and an object or what it says of the failure.
 *
 * @param retryAfterNanos for how long it asked to be left alone; 0 where it did not say
 */
record Answer(int code, String body, long retryAfterNanos) {
    static final int CONFLICT = 409;
    static final int ABSENT = 404;
    static final int UNPROCESSABLE = 422;
    static final int GONE = 410;
    private static final String NOT_FOUND = "NotFound";

    /** More is never waited for, and would not fit. */
    private static final int MOST_DIGITS = 9;

    Answer(int code, String body) {
        this(code, body, 0);
    }

    /** What the headers {@code Retry-After} say, in nanoseconds. A date is not understood: no API server writes one. */
    static long retryAfterNanos(List<String> headers) {
        return headers.stream()
                .map(String::strip)
                .filter(it -> it.matches("[0-9]{1," + MOST_DIGITS + "}"))
                .mapToLong(it -> TimeUnit.SECONDS.toNanos(Long.parseLong(it)))
                .findFirst()
                .orElse(0);
    }

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
