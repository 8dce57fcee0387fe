package dev.incumbent.health;

import java.time.Duration;

/** What nothing in this package exceeds. */
final class Bounds {
    /** Characters of a sentence that says why. */
    static final int LONGEST_SENTENCE = 300;

    /** Checks of one monitor, each of which has a thread. */
    static final int MOST_CHECKS = 64;

    /** From one question to the next, and for an answer. */
    static final Duration LONGEST_PAUSE = Duration.ofDays(1);

    /** Changes that are still to be told; the oldest are dropped. */
    static final int MOST_UNTOLD = 1_000;

    /** Answers that one decision looks at. */
    static final int MOST_ANSWERS = 100;

    /** Pieces of work that one beat watches at a time. */
    static final int MOST_WORKS = 10_000;

    /** Bytes of a command's output that are kept, the last ones. */
    static final int LONGEST_TAIL = 1_024;

    /** How often the processes below a command are looked for and killed. */
    static final int KILL_ROUNDS = 10;

    private Bounds() {}
}
