package dev.incumbent.coordinator;

import java.time.Duration;

/**
 * What a coordinator promises.
 *
 * @param leaseFloor the shortest lease that it grants
 * @param leaseGranularity the length of each lease is a multiple of this
 * @param expiryLag for how long after its end a lease may still be reported alive
 * @param pushesChanges true if the store pushes changes, false if it is polled
 * @param provesCurrency true if its watches call {@link Watcher#currentAsOf}
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
        /** The monotonic clock of the store's servers. Where a server may end a lease before its holder's time is over, each candidate then counts that time as well. */
        SERVER_MONOTONIC,
        /** The wall clock of the store's servers. If it steps forward, every lease ends at once, and only a fence helps. */
        SERVER_WALL,
        /** The monotonic clock of this machine, together with its boot id. */
        MACHINE,
        /** The clock of each candidate, which counts since it last saw the lease change. */
        OBSERVER
    }

    /** What reads and swaps promise. */
    public enum Consistency {
        LINEARIZABLE,
        /** The store may forget what it has acknowledged: safe only with fences. */
        BEST_EFFORT
    }
}
