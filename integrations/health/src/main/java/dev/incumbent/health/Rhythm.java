package dev.incumbent.health;

import java.time.Duration;

/**
 * How often a check is asked, how long an answer may take, and how many answers it takes to change what is believed. The first answer decides alone.
 *
 * @param every from one question to the next
 * @param within an answer that takes longer is a bad one. Where that is longer than {@code every}, a question waits until the one before it has ended
 * @param sickAfter so many bad answers make a check sick that was well
 * @param wellAfter so many good answers make a check well that was sick
 */
public record Rhythm(Duration every, Duration within, Share sickAfter, Share wellAfter) {
    /** Every five seconds, within two, and three answers in a row. */
    public static final Rhythm STANDARD =
            new Rhythm(Duration.ofSeconds(5), Duration.ofSeconds(2), new Share(3, 3), new Share(3, 3));

    /**
     * So many of the last answers. Only answers since the last change are counted, so that a check cannot turn back on old ones.
     *
     * @param answers how many, at least one
     * @param ofLast of how many, at least as many; equal for answers in a row
     */
    public record Share(int answers, int ofLast) {
        public Share {
            if (answers < 1 || ofLast < answers || ofLast > Bounds.MOST_ANSWERS) {
                throw new IllegalArgumentException("K of the last N answers: 1 <= K <= N <= " + Bounds.MOST_ANSWERS
                        + ", these are " + answers + " of " + ofLast);
            }
        }
    }

    public Rhythm {
        requirePossible("from one question to the next", every);
        requirePossible("for an answer", within);
    }

    private static void requirePossible(String what, Duration length) {
        if (length.isNegative() || length.isZero() || length.compareTo(Bounds.LONGEST_PAUSE) > 0) {
            throw new IllegalArgumentException(
                    "more than no time and at most " + Bounds.LONGEST_PAUSE + " " + what + ", this is " + length);
        }
    }

    /** Asks so often; an answer may take so long, but two seconds at the most. */
    public static Rhythm every(Duration pause) {
        Duration within = pause.compareTo(STANDARD.within) < 0 ? pause : STANDARD.within;
        return new Rhythm(pause, within, STANDARD.sickAfter, STANDARD.wellAfter);
    }

    /** The same, where an answer may take so long. */
    public Rhythm within(Duration longest) {
        return new Rhythm(every, longest, sickAfter, wellAfter);
    }

    /** The same, where so many answers in a row change what is believed, in both directions. */
    public Rhythm after(int answers) {
        return after(answers, answers);
    }

    /** The same, where so many of the last answers change what is believed, in both directions. */
    public Rhythm after(int answers, int ofLast) {
        return sickAfter(answers, ofLast).wellAfter(answers, ofLast);
    }

    /** The same, where so many of the last answers must be bad. */
    public Rhythm sickAfter(int answers, int ofLast) {
        return new Rhythm(every, within, new Share(answers, ofLast), wellAfter);
    }

    /** The same, where so many of the last answers must be good. */
    public Rhythm wellAfter(int answers, int ofLast) {
        return new Rhythm(every, within, sickAfter, new Share(answers, ofLast));
    }
}
