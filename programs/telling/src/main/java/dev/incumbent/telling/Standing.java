package dev.incumbent.telling;

import dev.incumbent.ElectionStatus;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Turns;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** How one election stands: what was read of its record, and its candidates in order. */
public record Standing(ElectionName election, Reading reading, List<Enlisted> candidates) {
    /** As somebody who asked for the status of one election was told. */
    public static Standing of(ElectionStatus status) {
        return new Standing(status.election(), new Reading.Found(status.observed()), status.candidates());
    }

    /** The record; the empty one where it was never written, or could not be read. */
    public ObservedRecord observed() {
        return reading instanceof Reading.Found found ? found.record() : ObservedRecord.ABSENT;
    }

    public LeaderRecord record() {
        return observed().record();
    }

    /** Who stands, without whoever the record names, in the order of their turns. */
    public List<Enlisted> next() {
        return Turns.of(record()).inOrder(candidates).stream()
                .filter(enlisted -> record().leader()
                        .filter(leader ->
                                leader.id().equals(enlisted.candidate().id()))
                        .isEmpty())
                .toList();
    }

    /** A candidate by its name, or by its id where another who stands has the same name. */
    public String shown(Candidate one) {
        boolean alone = candidates.stream()
                .map(Enlisted::candidate)
                .noneMatch(
                        other -> other.name().equals(one.name()) && !other.id().equals(one.id()));
        return alone ? one.name() : one.id().value();
    }

    /** Why nothing can be told, if so. */
    public Optional<String> obstacle() {
        if (reading instanceof Reading.Unread unread) {
            return Optional.of("unread: " + unread.why());
        }
        return reading instanceof Reading.Foreign foreign ? Optional.of("foreign: " + foreign.why()) : Optional.empty();
    }

    /**
     * Has a live leader missed the answer to a renewal? Reckoned from what is left of its lease, with the default timings; empty where the
     * store does not tell, or nobody leads.
     */
    public Optional<Boolean> jeopardy() {
        if (observed().isVacant()) {
            return Optional.empty();
        }
        Duration lease = record().leaseLength();
        Duration requestTimeout = shorter(Duration.ofSeconds(2), lease.dividedBy(8));
        Duration leastWhenWell = lease.minus(lease.dividedBy(3)).minus(requestTimeout);
        return observed().leaseRemaining().map(left -> left.compareTo(leastWhenWell) < 0);
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) <= 0 ? a : b;
    }
}
