package dev.incumbent.fence.http;

import java.time.Duration;

/** How long who raises is going to wait, as it tells the service in milliseconds, so that a raise that was given up does not stay in the queue. */
final class Patience {
    static final String HEADER = "Fencing-Patience";
    static final int LONGEST_BODY = 4_096;
    private static final Duration UNLIMITED = Duration.ofDays(1);

    private Patience() {}

    /** Unlimited where it is not told. */
    static Duration of(String millis) {
        return millis.matches("[0-9]{1,8}") ? Duration.ofMillis(Long.parseLong(millis)) : UNLIMITED;
    }
}
