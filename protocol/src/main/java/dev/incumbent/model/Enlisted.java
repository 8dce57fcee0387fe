package dev.incumbent.model;

import java.time.Instant;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;

/** A candidate in the order of those who stand, for as long as its lease lives, and the sinks that it brings. */
public record Enlisted(Candidate candidate, LeaseId lease, Instant since, Set<SinkId> sinks) {
    public Enlisted {
        sinks = Collections.unmodifiableSet(new TreeSet<>(sinks));
    }
}
