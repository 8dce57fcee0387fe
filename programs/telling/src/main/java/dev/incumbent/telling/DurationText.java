package dev.incumbent.telling;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as Go and systemd write them: {@code 500ms}, {@code 1.5s}, {@code 15s}, {@code 2m}, {@code 1h30m}. */
public final class DurationText {
    private static final Pattern PART = Pattern.compile("(\\d+(?:\\.\\d+)?)(h|ms|m|s|us|ns)");
    private static final BigDecimal LONGEST_NANOS = BigDecimal.valueOf(Long.MAX_VALUE);

    private DurationText() {}

    /** Reads one; what is none is refused by name, and so is what exceeds 292 years. */
    public static Duration parse(String text) {
        if (text.equals("0")) {
            return Duration.ZERO;
        }
        Matcher part = PART.matcher(text);
        BigDecimal nanos = BigDecimal.ZERO;
        int end = 0;
        while (end < text.length() && part.find(end) && part.start() == end) {
            nanos = nanos.add(new BigDecimal(part.group(1)).multiply(nanosOf(part.group(2))));
            end = part.end();
        }
        if (text.isEmpty() || end < text.length() || nanos.compareTo(LONGEST_NANOS) > 0) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no duration; durations are written 500ms, 1.5s, 15s, 2m or 1h30m");
        }
        return Duration.ofNanos(nanos.longValue());
    }

    /** Writes one so that {@link #parse} reads it back, to the millisecond. */
    public static String format(Duration duration) {
        long millis = duration.toMillis();
        if (millis < 0) {
            return "-" + format(duration.negated());
        }
        if (millis < 1000) {
            return millis + "ms";
        }
        StringBuilder text = new StringBuilder();
        appendUnless0(text, duration.toHours(), "h");
        appendUnless0(text, duration.toMinutesPart(), "m");
        long rest = millis % 60_000;
        if (rest > 0) {
            text.append(BigDecimal.valueOf(rest, 3).stripTrailingZeros().toPlainString())
                    .append('s');
        }
        return text.toString();
    }

    private static void appendUnless0(StringBuilder text, long value, String unit) {
        if (value > 0) {
            text.append(value).append(unit);
        }
    }

    private static BigDecimal nanosOf(String unit) {
        return BigDecimal.valueOf(
                switch (unit) {
                    case "h" -> 3_600_000_000_000L;
                    case "m" -> 60_000_000_000L;
                    case "s" -> 1_000_000_000L;
                    case "ms" -> 1_000_000L;
                    case "us" -> 1_000L;
                    default -> 1L;
                });
    }
}
