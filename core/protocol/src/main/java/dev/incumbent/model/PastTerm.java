package dev.incumbent.model;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * A term that is over: who led it, from when to when, why it ended, and on what lease.
 *
 * @param unknown fields that a later version wrote: name to raw JSON, carried through
 */
public record PastTerm(
        long number,
        Candidate leader,
        Instant from,
        Instant to,
        EndReason reason,
        Duration leaseLength,
        Map<String, String> unknown) {
    public PastTerm {
        unknown = Unknown.inAPart("a past term", unknown);
    }

    public PastTerm(long number, Candidate leader, Instant from, Instant to, EndReason reason, Duration leaseLength) {
        this(number, leader, from, to, reason, leaseLength, Map.of());
    }
}
