package dev.incumbent.coordinator;

import java.time.Duration;

/**
 * What a coordinator promises, told honestly.
 *
 * @param leaseFloor the shortest lease it grants
 * @param leaseGranularity leases are multiples of this
 * @param expiryLag how long after its end a lease may still be told alive
 * @param pushesChanges does it push, or is it polled
 * @param provesCurrency does a watch prove that what it told is current
 * @param expiryJudgedBy whose clock ends a lease
 * @param consistency what reads and swaps promise
 */
public record Capabilities(
        Duration leaseFloor,
        Duration leaseGranularity,
        Duration expiryLag,
        boolean pushesChanges,
        boolean provesCurrency,
        ExpiryClock expiryJudgedBy,
        Consistency consistency) {
    /** Whose clock ends a lease. */
    public enum ExpiryClock {
        /** The store's servers', running monotonically. */
        SERVER_MONOTONIC,
        /** The store's wall clock, which may step: forward, it ends every lease at once, and only the fence stands. */
        SERVER_WALL,
        /** This machine's monotonic clock with its boot id. */
        MACHINE,
        /** The contender's own, since it last saw a change. */
        OBSERVER
    }

    /** What reads and swaps promise. */
    public enum Consistency {
        LINEARIZABLE,
        /** May forget what it acknowledged: safe only with fences. */
        BEST_EFFORT
    }
}
