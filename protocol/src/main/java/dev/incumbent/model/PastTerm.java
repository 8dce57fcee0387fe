package dev.incumbent.model;

import java.time.Duration;
import java.time.Instant;

/** A term that is over: who led it, from when to when, why it ended, and on what lease. */
public record PastTerm(
        long number, Candidate leader, Instant from, Instant to, EndReason reason, Duration leaseLength) {}
