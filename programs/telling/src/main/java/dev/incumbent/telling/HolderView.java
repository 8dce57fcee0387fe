package dev.incumbent.telling;

import dev.incumbent.model.Holder;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.PastTerm;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Who has claimed a term and may still act in it, as people are told: does it lead now, or is its proof still owed?
 *
 * @param leads its claim stands, under a lease that lives
 * @param from when it claimed; empty where the record has forgotten
 * @param to when its term ended; empty where it has not, or nobody has written that down
 */
public record HolderView(Holder holder, boolean leads, Optional<Instant> from, Optional<Instant> to) {
    /** All holders of a record, in order of their terms. */
    public static List<HolderView> all(ObservedRecord observed) {
        return observed.record().holders().all().stream()
                .map(holder -> of(holder, observed))
                .toList();
    }

    /** Those whom the next leader must have turned off. */
    public static List<HolderView> owed(ObservedRecord observed) {
        return all(observed).stream().filter(view -> !view.leads).toList();
    }

    private static HolderView of(Holder holder, ObservedRecord observed) {
        LeaderRecord record = observed.record();
        boolean isNamed = record.names(holder.candidate(), holder.term());
        Optional<PastTerm> past = record.history().stream()
                .filter(one -> one.number() == holder.term())
                .findFirst();
        return new HolderView(
                holder,
                isNamed && !observed.isVacant(),
                isNamed ? Optional.of(record.since()) : past.map(PastTerm::from),
                past.map(PastTerm::to));
    }
}
