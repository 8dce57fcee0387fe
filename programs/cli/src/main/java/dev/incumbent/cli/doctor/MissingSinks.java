package dev.incumbent.cli.doctor;

import dev.incumbent.cli.reading.SinksAdvice;
import dev.incumbent.model.SinkId;
import dev.incumbent.telling.Standing;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Does an election's record name sinks that were not given? Whoever does not bring them does not stand. */
final class MissingSinks {
    private MissingSinks() {}

    /** A finding where this election alone was asked for with its sinks, or where nobody leads and nobody stands; a freeze explains both. */
    static Optional<Finding> of(Standing standing, Set<SinkId> given, boolean isAskedFor) {
        Set<SinkId> missing = new TreeSet<>(standing.record().sinks().keySet());
        missing.removeAll(given);
        boolean isDeserted =
                standing.observed().isVacant() && standing.candidates().isEmpty();
        if (missing.isEmpty() || standing.record().isFrozen() || !(isAskedFor || isDeserted)) {
            return Optional.empty();
        }
        String advice = new SinksAdvice(standing.record().sinks(), missing, Set.of()).sentence(standing.election());
        return Optional.of(
                Finding.wrong("sinks", standing.election() + (isDeserted ? " has no candidate, and " : ": ") + advice));
    }
}
