package dev.incumbent.quorum;

import dev.incumbent.coordinator.quorum.wire.Line;
import java.util.List;

/** Splits a body, once it is known that it has not too many parts: each takes some fifty bytes, so that 2 MiB of tabs would take more than the heap of a node. */
final class Parts {
    /** Calls, or lines of a watch, of one request. Clients send at most 512 calls at once. */
    static final int MOST_LINES = 4_096;

    /** Fields of all its lines. A watch names each election that it watches in one. */
    static final int MOST_FIELDS = 100_000;

    private Parts() {}

    /** A body has too many parts. */
    static final class TooMany extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;

        private TooMany(String what, int most) {
            super("a request has at most " + most + " " + what);
        }
    }

    /** The lines of a body, which {@link Line#fields} may split; throws {@link TooMany}. */
    static List<String> lines(String body) {
        int lines = 0;
        int fields = 0;
        for (int i = 0; i < body.length(); i++) {
            char c = body.charAt(i);
            if (c == '\n' || c == '\r') {
                lines++;
            } else if (c == '\t') {
                fields++;
            }
        }
        if (lines > MOST_LINES) {
            throw new TooMany("lines", MOST_LINES);
        }
        if (lines + fields > MOST_FIELDS) {
            throw new TooMany("fields", MOST_FIELDS);
        }
        return Line.lines(body);
    }
}
