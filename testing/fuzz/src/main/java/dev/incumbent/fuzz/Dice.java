package dev.incumbent.fuzz;

import java.util.List;

/** Draws that follow from a seed and a number alone, on every JDK: SplitMix64. Used by one thread. */
final class Dice {
    private static final long GAMMA = 0x9E3779B97F4A7C15L;
    private static final int PRINTABLE_FROM = 0x21;
    private static final int PRINTABLE = 0x7e - PRINTABLE_FROM + 1;

    private long state;

    /** Those of the request of that number. */
    Dice(long seed, int number) {
        state = mixed(seed + GAMMA) ^ mixed(number * GAMMA);
    }

    private static long mixed(long from) {
        long z = (from ^ (from >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /** From 0 up to that, which is not drawn. */
    int below(int bound) {
        state += GAMMA;
        return (int) Long.remainderUnsigned(mixed(state), bound);
    }

    /** Both may be drawn. */
    int between(int least, int most) {
        return least + below(most - least + 1);
    }

    /** True once in so many. */
    boolean once(int in) {
        return below(in) == 0;
    }

    <T> T pick(List<T> from) {
        return from.get(below(from.size()));
    }

    String pick(String... from) {
        return from[below(from.length)];
    }

    /** So many bytes of any kind, a character each. */
    String bytes(int count) {
        return drawn(count, 0, 256);
    }

    /** So many bytes that can be printed, none of them a space. */
    String printable(int count) {
        return drawn(count, PRINTABLE_FROM, PRINTABLE);
    }

    private String drawn(int count, int from, int kinds) {
        StringBuilder text = new StringBuilder(count);
        for (int i = 0; i < count; i++) {
            text.append((char) (from + below(kinds)));
        }
        return text.toString();
    }

    /** A byte that may stand in no header: neither printable, nor a space, a tab or the end of a line. */
    char control() {
        return pick("\u0000", "\u0001", "\u0007", "\b", "\u000b", "\u001b", "\u001f", "\u007f")
                .charAt(0);
    }
}
