package dev.incumbent.model;

import java.time.Instant;
import java.util.Set;

/** A candidate in the order of those who stand, for as long as its lease lives, and the sinks that it brings. */
public record Enlisted(Candidate candidate, LeaseId lease, Instant since, Set<SinkId> sinks) {
    public Enlisted {
        sinks = Sorted.copyOf(sinks);
    }
}
