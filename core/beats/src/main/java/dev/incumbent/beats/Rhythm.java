package dev.incumbent.beats;

import java.time.Duration;

/**
 * How often a process beats, and how long a silence is.
 *
 * @param beat from one beat to the next
 * @param silentBeats a process that was not heard for so many beats is silent
 * @param alone a leader's only listener may suspect it of silence; nobody can confirm what it hears
 */
public record Rhythm(Duration beat, int silentBeats, boolean alone) {
    /** 50 ms, three beats, and nobody suspects alone. */
    public static final Rhythm DEFAULT = new Rhythm(Duration.ofMillis(50), 3, false);

    /** However much beats vary, a silence is never longer than so many of them. */
    static final int LONGEST_SILENCE = 40;

    public Rhythm {
        if (beat.compareTo(Duration.ofMillis(1)) < 0 || beat.compareTo(Duration.ofSeconds(10)) > 0) {
            throw new IllegalArgumentException("a beat takes 1 ms to 10 s, this one " + beat);
        }
        if (silentBeats < 2 || silentBeats > LONGEST_SILENCE) {
            throw new IllegalArgumentException(
                    "a silence has 2 to " + LONGEST_SILENCE + " beats, this one " + silentBeats);
        }
    }

    long beatNanos() {
        return beat.toNanos();
    }

    /** After how long a process is silent whose beats deviate by that much; so many times as long as usual. */
    long silentAfterNanos(long deviationNanos, int patience) {
        long usual = silentBeats * beatNanos() + 4 * deviationNanos;
        return Math.min(usual * patience, LONGEST_SILENCE * beatNanos());
    }
}
