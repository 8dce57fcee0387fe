package dev.incumbent.model;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * A term that is over: who led it, from when to when, why it ended, and on what lease.
 *
 * @param stonith what showed that its leader acts no more, where that was asked
 * @param unknown fields that a later version wrote: name to raw JSON, carried through
 */
public record PastTerm(
        long number,
        Candidate leader,
        Instant from,
        Instant to,
        EndReason reason,
        Duration leaseLength,
        Optional<HolderProof> stonith,
        Map<String, String> unknown) {
    public PastTerm {
        unknown = Unknown.inAPart("a past term", unknown);
    }

    public PastTerm(long number, Candidate leader, Instant from, Instant to, EndReason reason, Duration leaseLength) {
        this(number, leader, from, to, reason, leaseLength, Optional.empty(), Map.of());
    }

    /** The same, its leader proved to act no more. */
    public PastTerm withStonith(HolderProof proof) {
        return new PastTerm(number, leader, from, to, reason, leaseLength, Optional.of(proof), unknown);
    }
}
