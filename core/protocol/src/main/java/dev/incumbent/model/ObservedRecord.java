package dev.incumbent.model;

import java.time.Duration;
import java.util.Optional;

/**
 * A record as its coordinator told it, first the record, then the lease, or both at once.
 *
 * @param leaseAlive is the leader's lease alive; false where there is no leader. Once told dead, that lease is dead for ever
 * @param leaseRemaining what is left of the lease, where the store tells; zero where it has ended, or should have, and is not told dead yet
 */
public record ObservedRecord(
        LeaderRecord record, Revision revision, boolean leaseAlive, Optional<Duration> leaseRemaining) {
    /** An election that was never written. */
    public static final ObservedRecord ABSENT =
            new ObservedRecord(LeaderRecord.EMPTY, Revision.ABSENT, false, Optional.empty());

    /** Nobody leads: the record has no leader, or its leader's lease is dead. */
    public boolean isVacant() {
        return record.leader().isEmpty() || !leaseAlive;
    }
}
