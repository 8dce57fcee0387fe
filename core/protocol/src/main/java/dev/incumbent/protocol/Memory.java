package dev.incumbent.protocol;

import dev.incumbent.model.Revision;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What outlives the terms of this process.
 *
 * @param nonces how many swaps it has sent: no two share a nonce
 * @param patience how long it waited last for a term that did not last
 * @param healings when its vacates healed the coordinator, the last ten leases' worth
 */
public record Memory(Terms terms, long nonces, Unsettled unsettled, Duration patience, List<Long> healings) {
    static final Memory BLANK = new Memory(
            new Terms(0, 0, Heard.NOBODY), 0, new Unsettled(Optional.empty(), Step.NEVER), Duration.ZERO, List.of());

    /**
     * Numbers of terms.
     *
     * @param greatestWon the greatest that it ever won
     * @param greatestMet the greatest mark that ever stood in its way
     * @param heard who was itself heard to lead which
     */
    public record Terms(long greatestWon, long greatestMet, Heard heard) {}

    /**
     * A forgotten swap.
     *
     * @param on the revision that it may still land on
     * @param atNanos when it was forgotten: only a read sent later shows the record past it
     */
    public record Unsettled(Optional<Revision> on, long atNanos) {}

    public Memory {
        healings = List.copyOf(healings);
    }

    Memory won(long number) {
        return with(new Terms(Math.max(terms.greatestWon(), number), terms.greatestMet(), terms.heard()));
    }

    Memory met(long number) {
        return with(new Terms(terms.greatestWon(), Math.max(terms.greatestMet(), number), terms.heard()));
    }

    Memory heard(Heard now) {
        return with(new Terms(terms.greatestWon(), terms.greatestMet(), now));
    }

    private Memory with(Terms next) {
        return new Memory(next, nonces, unsettled, patience, healings);
    }

    Memory oneMoreNonce() {
        return new Memory(terms, nonces + 1, unsettled, patience, healings);
    }

    Memory unsettledOn(Optional<Revision> revision, long now) {
        return new Memory(terms, nonces, new Unsettled(revision, now), patience, healings);
    }

    Memory patience(Duration waited) {
        return new Memory(terms, nonces, unsettled, waited, healings);
    }

    Memory healings(List<Long> at) {
        return new Memory(terms, nonces, unsettled, patience, at);
    }
}
