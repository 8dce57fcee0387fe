package dev.incumbent.model;

import java.time.Instant;
import java.util.Set;

/**
 * A candidate in the order of those who stand, for as long as its lease lives.
 *
 * @param sinks the sinks that it brings
 * @param supports the features that its process knows; who reports nothing supports none
 */
public record Enlisted(Candidate candidate, LeaseId lease, Instant since, Set<SinkId> sinks, Set<Feature> supports) {
    public Enlisted {
        sinks = Sorted.copyOf(sinks);
        supports = Feature.checked("a candidate", supports);
    }

    /** Who reports no feature. */
    public Enlisted(Candidate candidate, LeaseId lease, Instant since, Set<SinkId> sinks) {
        this(candidate, lease, since, sinks, Set.of());
    }
}
