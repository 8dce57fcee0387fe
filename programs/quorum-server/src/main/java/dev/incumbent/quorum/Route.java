package dev.incumbent.quorum;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * What answers a path and all beneath it.
 *
 * @param needs what whoever asks must have a right to; an answer may ask for more, by what is asked
 * @param mostBytes of a request's body
 * @param kind which thread begins the answer
 */
record Route(String path, Right needs, int mostBytes, Kind kind, Answering answering) {
    /** Bytes of the longest body that any takes. On its way to the log it is kept some eight times, in a heap of 64 MB. */
    static final int LONGEST = 2 << 20;

    /** What answers. */
    @FunctionalInterface
    interface Answering {
        CompletableFuture<Answer> to(Asked asked) throws IOException;
    }

    /** A question: its method, what follows the path, its body, how long its asker waits, and what that one may do. */
    record Asked(String method, String rest, String body, long withinMillis, Set<Right> rights) {}

    /**
     * An answer; none of a kind that a browser would run.
     *
     * @param type what its text is, as {@code Content-Type} tells it
     */
    record Answer(int status, String type, String text) {
        private static final String PLAIN = "text/plain; charset=utf-8";

        /** Plain text. */
        Answer(int status, String text) {
            this(status, PLAIN, text);
        }

        static CompletableFuture<Answer> now(int status, String text) {
            return CompletableFuture.completedFuture(new Answer(status, text));
        }

        /** For whoever is known, and may not do this. */
        static Answer without(Right right) {
            return new Answer(403, right.missing() + "\n");
        }
    }

    /** How an answer comes about. */
    enum Kind {
        /** At once: it waits for nothing and computes little, so it is given whatever else is under way. */
        AT_ONCE,
        /** Handed on to the replication. */
        CALL,
        /** The same, and held until there is something to tell. */
        HELD,
        /** Made durable first. */
        DURABLE
    }

    /** Does this answer that path? */
    boolean answers(String asked) {
        return asked.equals(path) || asked.startsWith(path.endsWith("/") ? path : path + "/");
    }
}
