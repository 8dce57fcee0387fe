package dev.incumbent.protocol;

import dev.incumbent.model.CandidateId;
import dev.incumbent.model.SinkId;
import dev.incumbent.model.Sorted;
import java.util.Set;
import java.util.TreeSet;

/**
 * That a process which told that it leads a term is thought to be gone, although its lease may live.
 *
 * @param sinceNanos when that was told
 * @param reached the sinks that were asked for their marks since, and have told them
 */
public record Suspicion(CandidateId leader, long term, long sinceNanos, Set<SinkId> reached) {
    public Suspicion {
        reached = Sorted.copyOf(reached);
    }

    static Suspicion of(CandidateId leader, long term, long now) {
        return new Suspicion(leader, term, now, Set.of());
    }

    boolean isSame(Suspicion other) {
        return leader.equals(other.leader) && term == other.term && sinceNanos == other.sinceNanos;
    }

    Suspicion reaching(SinkId sink) {
        Set<SinkId> more = new TreeSet<>(reached);
        more.add(sink);
        return new Suspicion(leader, term, sinceNanos, more);
    }
}
