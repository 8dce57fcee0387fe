package dev.incumbent.coordinator.quorum;

import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.RecordJson;
import dev.incumbent.coordinator.UnreadableRecordException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a node tells of one election that has a record: five fields of an answer. */
record Told(String election, String nonce, boolean leaseAlive, Duration left, String record) {
    private static final int FIELDS = 5;

    /** All that lie in an answer from there on. */
    static List<Told> all(List<String> fields, int from) {
        List<Told> all = new ArrayList<>();
        for (int i = from; i + FIELDS <= fields.size(); i += FIELDS) {
            all.add(new Told(
                    fields.get(i),
                    fields.get(i + 1),
                    fields.get(i + 2).equals("1"),
                    Duration.ofMillis(Long.parseLong(fields.get(i + 3))),
                    fields.get(i + 4)));
        }
        return all;
    }

    ElectionName name() {
        return new ElectionName(election);
    }

    Reading reading() {
        try {
            return new Reading.Found(observed());
        } catch (UnreadableRecordException e) {
            return new Reading.Foreign(new Revision(nonce), String.valueOf(e.getMessage()));
        }
    }

    ObservedRecord observed() throws UnreadableRecordException {
        return new ObservedRecord(
                RecordJson.read(record),
                new Revision(nonce),
                leaseAlive,
                leaseAlive ? Optional.of(left) : Optional.empty());
    }

    /** As a refusal tells it: none where it cannot be read. */
    Optional<ObservedRecord> observedIfReadable() {
        try {
            return Optional.of(observed());
        } catch (UnreadableRecordException e) {
            return Optional.empty();
        }
    }
}
