package dev.incumbent.coordinator.kubernetes;

/**
 * How a stream of changes ended.
 *
 * @param retryAfterNanos for how long the server asked to be left alone; 0 where it did not say
 */
record Ending(Kind kind, long retryAfterNanos) {
    static final Ending IN_ORDER = new Ending(Kind.IN_ORDER, 0);
    static final Ending BROKEN = new Ending(Kind.BROKEN, 0);

    /** What may be known of its position afterwards. */
    enum Kind {
        /** The server ended it: another may go on from its position. */
        IN_ORDER,
        /** It broke, or was refused. */
        BROKEN,
        /** The server no longer knows the changes since its position. */
        EXPIRED
    }

    /** Of a stream that was refused by that code. */
    static Ending refused(int code, long retryAfterNanos) {
        return new Ending(code == Answer.GONE ? Kind.EXPIRED : Kind.BROKEN, retryAfterNanos);
    }
}
