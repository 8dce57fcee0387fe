package dev.incumbent.protocol;

import dev.incumbent.model.Revision;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What outlives the terms of this process.
 *
 * @param greatestWon the greatest number it ever won
 * @param greatestMet the greatest mark that ever stood in its way
 * @param nonces how many swaps it has sent: no two share a nonce
 * @param unsettled the revision that a forgotten swap may still land on
 * @param unsettledAtNanos when that was forgotten: only a read sent later shows the record past it
 * @param patience how long it waited last for a term that did not last
 * @param healings when its vacates healed the coordinator, the last ten leases' worth
 * @param heardTerm the term whose leader it has itself heard
 */
public record Memory(
        long greatestWon,
        long greatestMet,
        long nonces,
        Optional<Revision> unsettled,
        long unsettledAtNanos,
        Duration patience,
        List<Long> healings,
        long heardTerm) {
    static final Memory BLANK = new Memory(0, 0, 0, Optional.empty(), Step.NEVER, Duration.ZERO, List.of(), 0);

    public Memory {
        healings = List.copyOf(healings);
    }

    Memory won(long number) {
        return new Memory(
                Math.max(greatestWon, number),
                greatestMet,
                nonces,
                unsettled,
                unsettledAtNanos,
                patience,
                healings,
                heardTerm);
    }

    Memory met(long number) {
        return new Memory(
                greatestWon,
                Math.max(greatestMet, number),
                nonces,
                unsettled,
                unsettledAtNanos,
                patience,
                healings,
                heardTerm);
    }

    Memory oneMoreNonce() {
        return new Memory(
                greatestWon, greatestMet, nonces + 1, unsettled, unsettledAtNanos, patience, healings, heardTerm);
    }

    Memory unsettledOn(Optional<Revision> revision, long now) {
        return new Memory(greatestWon, greatestMet, nonces, revision, now, patience, healings, heardTerm);
    }

    Memory patience(Duration waited) {
        return new Memory(greatestWon, greatestMet, nonces, unsettled, unsettledAtNanos, waited, healings, heardTerm);
    }

    Memory healings(List<Long> at) {
        return new Memory(greatestWon, greatestMet, nonces, unsettled, unsettledAtNanos, patience, at, heardTerm);
    }

    Memory heard(long term) {
        return new Memory(greatestWon, greatestMet, nonces, unsettled, unsettledAtNanos, patience, healings, term);
    }
}
