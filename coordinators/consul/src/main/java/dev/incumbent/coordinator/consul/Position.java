package dev.incumbent.coordinator.consul;

import dev.incumbent.model.Revision;
import java.util.Optional;

/**
 * One state of one record: the index at which it was modified, which a restored store hands out again, and its nonce, which never repeats. As a revision:
 * {@code INDEX:NONCE}.
 */
record Position(long index, String nonce) {
    Revision revision() {
        return new Revision(index + ":" + nonce);
    }

    /** Empty for a revision that was never told here. */
    static Optional<Position> of(Revision revision) {
        int colon = revision.value().indexOf(':');
        if (colon < 1) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Position(
                    Long.parseLong(revision.value().substring(0, colon)),
                    revision.value().substring(colon + 1)));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
