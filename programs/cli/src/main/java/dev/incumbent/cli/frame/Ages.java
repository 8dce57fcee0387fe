package dev.incumbent.cli.frame;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** How long ago something was, as people read it: one number, one unit. */
public final class Ages {
    private Ages() {}

    /** {@code 12:00:00Z (3m)}, and {@code 2026-11-20 (2d)} where a day or more has passed. What is to come by this machine's clock has no age. */
    public static String at(Instant time, Instant now) {
        Duration age = Duration.between(time, now);
        String whole = time.truncatedTo(ChronoUnit.SECONDS).toString();
        if (age.isNegative()) {
            return whole;
        }
        int day = whole.indexOf('T');
        return (age.toDays() >= 1 ? whole.substring(0, day) : whole.substring(day + 1)) + " (" + length(age) + ")";
    }

    /** {@code 2026-11-20T12:00:00Z (3m ago)}. */
    public static String whole(Instant time, Instant now) {
        Duration age = Duration.between(time, now);
        return time + (age.isNegative() ? "" : " (" + length(age) + " ago)");
    }

    /** {@code 45s}, {@code 3m}, {@code 5h}, {@code 2d}: whole units, at least two of them where there is a smaller one. */
    public static String length(Duration length) {
        if (length.toSeconds() < 120) {
            return length.toSeconds() + "s";
        }
        if (length.toMinutes() < 120) {
            return length.toMinutes() + "m";
        }
        return length.toHours() < 48 ? length.toHours() + "h" : length.toDays() + "d";
    }
}
