package dev.incumbent.internal;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** What is wrong with one candidacy: of each kind the last sentence, until it is mended; told is the one that came last. Owned by the loop's thread. */
final class Trouble {
    private final Map<Kind, String> open = new LinkedHashMap<>();

    /** What can be wrong; each is mended by its own. */
    enum Kind {
        /** It waits for what it left behind when it stood before. */
        STILL_LEAVING,
        /** The coordinator gives or keeps no lease. */
        SESSION,
        /** The coordinator's code lacks a class. */
        UNUSABLE,
        /** The lease that it gives is too short. */
        TIMING,
        /** A sink does not tell its id, or cannot be watched over. */
        OPENING,
        /** The program says that it cannot do the work. */
        UNHEALTHY,
        /** The record's sinks are not the ones given here. */
        MISMATCH,
        /** The record requires features that this version does not know. */
        FEATURES,
        /** A sink could not be raised. */
        UNRAISED,
        /** A former leader may still act and was not turned off. */
        UNFENCED,
        /** So many may still act that the record has no room for one more. */
        HOLDERS,
        /** Two coordinators share a sink. */
        TWO_COORDINATORS,
        /** A task or a listener threw. */
        USER_CODE,
        /** A step threw; mended by the next term. */
        STEP
    }

    void arose(Kind kind, String what) {
        open.remove(kind);
        open.put(kind, what);
    }

    void mended(Kind kind) {
        open.remove(kind);
    }

    Optional<String> last() {
        if (open.isEmpty()) {
            return Optional.empty(); // asked at every step: a view of no values would be kept for each candidacy
        }
        Optional<String> last = Optional.empty();
        for (String what : open.values()) {
            last = Optional.of(what);
        }
        return last;
    }
}
