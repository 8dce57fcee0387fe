package dev.incumbent.telling;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;

/** Times to come, as people give them. A time without an offset is refused, since hosts differ in their zones. */
public final class TimeText {
    private TimeText() {}

    /** Reads ISO 8601 with an offset, such as {@code 2026-11-28T02:00+01:00} or {@code 2026-11-28T01:00:00Z}. */
    public static Instant parse(String text) {
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException none) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no time with an offset, such as 2026-11-28T02:00+01:00 or 2026-11-28T01:00Z",
                    none);
        }
    }

    /** Reads the same, or a duration from now, such as {@code +30m}. */
    public static Instant parse(String text, Instant now) {
        return text.startsWith("+") ? now.plus(DurationText.parse(text.substring(1))) : parse(text);
    }
}
