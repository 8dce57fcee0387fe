package dev.incumbent.simulation;

import java.util.Map;
import java.util.Optional;

/** How one world ended: what it took, what it came by, a hash of its history, and what it violated. */
public record Ending(
        long seed,
        long events,
        long simulatedNanos,
        long hash,
        Map<Milestone, Long> milestones,
        Optional<Violation> violation) {
    /** The line to paste; empty where nothing was violated. */
    public String replayLine() {
        return violation
                .map(v -> "REPLAY incumbent simulate replay 0x%016x (%s at %.3f s)"
                        .formatted(seed, v.invariant(), v.atNanos() / 1e9))
                .orElse("");
    }

    /** The same, with that violation. */
    Ending violating(Violation other) {
        return new Ending(seed, events, simulatedNanos, hash, milestones, Optional.of(other));
    }
}
