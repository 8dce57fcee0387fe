package dev.incumbent.coordinator.etcd;

import dev.incumbent.coordinator.Reading;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaseId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What one question for some elections found: first the records, then which of the leases that they name are alive.
 *
 * @param sentAtNanos just before the question left
 * @param revision of the store when the records were read
 */
record Sightings(long sentAtNanos, long revision, Map<ElectionName, StoredRecord> records, Set<LeaseId> alive) {
    boolean isAlive(StoredRecord record) {
        Optional<LeaseId> lease = record.lease();
        return lease.isPresent() && alive.contains(lease.get());
    }

    Map<ElectionName, Reading> readings() {
        Map<ElectionName, Reading> readings = new HashMap<>();
        records.forEach((election, record) -> readings.put(election, record.reading(isAlive(record))));
        return readings;
    }
}
