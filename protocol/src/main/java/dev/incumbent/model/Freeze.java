package dev.incumbent.model;

import java.time.Instant;

/** All leadership of an election is stopped: by whom, why, when, and the number that its sinks are raised to at least. */
public record Freeze(String by, String why, Instant at, long number) {
    public Freeze {
        Words.checked("who freezes", by);
        if (number < 1) {
            throw new IllegalArgumentException("a freeze's number is at least 1, this one is " + number);
        }
    }
}
