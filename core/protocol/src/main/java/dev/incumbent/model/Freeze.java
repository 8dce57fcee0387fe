package dev.incumbent.model;

import java.time.Instant;
import java.util.Map;

/**
 * All leadership of an election is stopped: by whom, why, when, and the number that its sinks are raised to at least.
 *
 * @param unknown fields that a later version wrote: name to raw JSON, carried through
 */
public record Freeze(String by, String why, Instant at, long number, Map<String, String> unknown) {
    public Freeze {
        Words.checked("who freezes", by);
        if (number < 1) {
            throw new IllegalArgumentException("a freeze's number is at least 1, this one is " + number);
        }
        unknown = Unknown.inAPart("a freeze", unknown);
    }

    public Freeze(String by, String why, Instant at, long number) {
        this(by, why, at, number, Map.of());
    }
}
