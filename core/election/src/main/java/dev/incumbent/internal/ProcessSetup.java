package dev.incumbent.internal;

import dev.incumbent.model.Candidate;
import dev.incumbent.model.Timing;
import java.time.Duration;
import java.util.Optional;

/**
 * What a process brings to all its elections.
 *
 * @param movesAfter after so long, which is at least a lease and at most 366 days, its terms are handed over to a candidate of a better rank; absent, they never are
 * @param spreads it tells how many elections it leads, so that of equals who leads fewer claims first
 */
public record ProcessSetup(Candidate candidate, Timing timing, Optional<Duration> movesAfter, boolean spreads) {
    /** No term is moved after longer than this. */
    public static final Duration LONGEST_TENURE = Duration.ofDays(366);

    public ProcessSetup {
        movesAfter.filter(after -> after.compareTo(timing.lease()) < 0).ifPresent(after -> {
            throw new IllegalArgumentException(
                    "a term is moved after its lease of " + timing.lease() + " at the earliest, not after " + after);
        });
        movesAfter.filter(after -> after.compareTo(LONGEST_TENURE) > 0).ifPresent(after -> {
            throw new IllegalArgumentException(
                    "a term is moved after " + LONGEST_TENURE.toDays() + " days at the latest, not after " + after);
        });
    }

    /** One that moves no term by itself, and does not spread. */
    public ProcessSetup(Candidate candidate, Timing timing) {
        this(candidate, timing, Optional.empty(), false);
    }

    ProcessSetup with(Candidate other) {
        return new ProcessSetup(other, timing, movesAfter, spreads);
    }
}
