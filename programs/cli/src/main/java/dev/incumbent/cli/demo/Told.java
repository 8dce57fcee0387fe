package dev.incumbent.cli.demo;

import java.util.Locale;

/**
 * What a worker told, in one line of its standard output: {@code KIND NANOS TOKEN DETAIL}.
 *
 * @param by the process that told it
 * @param atNanos when, on the monotonic clock, which all processes of a machine share
 * @param token the term it speaks of; 0 where it speaks of none
 */
record Told(Actor by, Kind kind, long atNanos, long token, String detail) {
    /** What there is to tell. */
    enum Kind {
        /** It is a candidate; the detail is its id. */
        STANDS,
        LEADS,
        /** It has checked that it leads and is about to write; the detail is the attempt. */
        CHECKED,
        /** The ledger has accepted the attempt that is the detail. */
        WROTE,
        /** The fence has refused an attempt; the detail is the attempt, a blank, and the refusal's sentence. */
        REFUSED,
        /** Its task has returned; the detail says why the term ended. */
        ENDED,
        /** Its standard output has ended. */
        GONE
    }

    /** The line that tells it. */
    static String line(Kind kind, long atNanos, long token, String detail) {
        return kind.name().toLowerCase(Locale.ROOT) + " " + atNanos + " " + token + " " + detail;
    }

    /** Reads a line; what is none is a bug of the worker. */
    static Told read(Actor by, String line) {
        String[] words = line.split(" ", 4);
        Kind kind = Kind.valueOf(words[0].toUpperCase(Locale.ROOT));
        return new Told(by, kind, Long.parseLong(words[1]), Long.parseLong(words[2]), words[3]);
    }

    /** The first word of the detail. */
    String attempt() {
        return detail.replaceFirst(" .*", "");
    }
}
