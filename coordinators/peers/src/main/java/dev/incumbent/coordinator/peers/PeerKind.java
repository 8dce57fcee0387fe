package dev.incumbent.coordinator.peers;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** By which protocol the members of a group elect. */
enum PeerKind {
    RAFT,
    BULLY,
    RING;

    /** Has its term a number that sinks can compare, and has it one leader at a time? */
    boolean isSafe() {
        return this == RAFT;
    }

    String scheme() {
        return "peers+" + this;
    }

    static Optional<PeerKind> ofScheme(String scheme) {
        return Arrays.stream(values())
                .filter(kind -> kind.scheme().equals(scheme))
                .findFirst();
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
