package dev.incumbent.coordinator.consul;

import dev.incumbent.coordinator.Reading;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import java.util.Optional;

/**
 * What a watch knows of one election.
 *
 * @param told what its watchers were told last; none where it cannot be understood
 */
record Known(Position position, Optional<ObservedRecord> told) {
    private static final Position NOWHERE = new Position(0, "");

    /** None of what could not be read now. */
    static Optional<Known> of(Reading reading) {
        if (reading instanceof Reading.Found found) {
            ObservedRecord record = found.record();
            return Optional.of(new Known(Position.of(record.revision()).orElse(NOWHERE), Optional.of(record)));
        }
        if (reading instanceof Reading.Absent) {
            return Optional.of(new Known(NOWHERE, Optional.of(ObservedRecord.ABSENT)));
        }
        if (reading instanceof Reading.Foreign foreign) {
            return Optional.of(new Known(Position.of(foreign.revision()).orElse(NOWHERE), Optional.empty()));
        }
        return Optional.empty();
    }

    /** A store that went back shows an earlier index, or another record at the same one. */
    boolean isBehind(Known before) {
        long now = position.index();
        long then = before.position.index();
        return now < then || (now == then && !position.equals(before.position));
    }

    boolean isAs(Known other) {
        return position.equals(other.position)
                && isAlive() == other.isAlive()
                && told.isPresent() == other.told.isPresent();
    }

    /** Do the keys show the same: this nonce, and its lease alive or not? */
    boolean isShownBy(Listing listing, ElectionName election) {
        boolean isSameRecord = listing.nonces(election)
                .equals(told.filter(record -> !record.equals(ObservedRecord.ABSENT))
                        .map(record -> java.util.Set.of(record.record().nonce()))
                        .orElse(java.util.Set.of()));
        Optional<LeaseId> lease = told.flatMap(record -> record.record().lease());
        return isSameRecord && lease.map(it -> listing.isAlive(it) == isAlive()).orElse(true);
    }

    private boolean isAlive() {
        return told.filter(ObservedRecord::leaseAlive).isPresent();
    }
}
