package dev.incumbent.coordinator.sqlite;

import dev.incumbent.coordinator.RecordJson;
import dev.incumbent.coordinator.UnreadableRecordException;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.LeaderRecord;

/** Texts that a test wrote itself. */
final class Unchecked {
    private Unchecked() {}

    static LeaderRecord record(String text) {
        try {
            return RecordJson.read(text);
        } catch (UnreadableRecordException e) {
            throw new IllegalArgumentException(e);
        }
    }

    static Enlisted enlisted(String text) {
        try {
            return RecordJson.readEnlisted(text);
        } catch (UnreadableRecordException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
