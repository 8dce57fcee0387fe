package dev.incumbent.health;

import java.util.Locale;

/** Numbers as sentences show them, the same in every language. */
final class Amounts {
    private static final String[] UNITS = {"bytes", "kB", "MB", "GB", "TB", "PB", "EB"};
    private static final double THOUSAND = 1_000;
    private static final double NANOS = 1e9;
    private static final double PERCENT = 100;

    private Amounts() {}

    /** Such as {@code 12.4 GB}; a kilobyte is a thousand bytes. */
    static String bytes(long count) {
        double left = count;
        int unit = 0;
        while (left >= THOUSAND && unit < UNITS.length - 1) {
            left /= THOUSAND;
            unit++;
        }
        return number(left) + " " + UNITS[unit];
    }

    /** Such as {@code 2.5 s}, or {@code 40 ms} where it is less than a second. */
    static String seconds(long nanos) {
        return nanos < NANOS ? nanos / 1_000_000 + " ms" : number(nanos / NANOS) + " s";
    }

    /** Such as {@code 12.4 %}. */
    static String percent(double share) {
        return number(share) + " %";
    }

    /** How much that is of all; all of nothing is everything. */
    static double percentOf(long part, long all) {
        return all <= 0 ? PERCENT : PERCENT * part / all;
    }

    /** A percentage that was asked for, checked. */
    static double checkedPercent(double percent) {
        if (!(percent > 0 && percent <= PERCENT)) {
            throw new IllegalArgumentException("a percentage is above 0 and at most 100, this one is " + percent);
        }
        return percent;
    }

    /** With one digit behind the point, unless it is 0. */
    private static String number(double value) {
        String text = String.format(Locale.ROOT, "%.1f", value);
        return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
    }
}
