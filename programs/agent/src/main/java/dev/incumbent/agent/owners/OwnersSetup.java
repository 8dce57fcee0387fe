package dev.incumbent.agent.owners;

/**
 * What does not change while owners come and go.
 *
 * @param leastTtlNanos the shortest time to live
 * @param mostTtlNanos the longest time to live
 * @param mostHoldNanos no answer lets an owner believe that it leads for longer than that
 * @param driftBound how much the rate of a clock may err, such as 0.001
 * @param mostOwners how many owners may stand in one election
 * @param endsByWordAlone does nothing but an owner's word, or the end of its process, show that its work has stopped?
 */
public record OwnersSetup(
        long leastTtlNanos,
        long mostTtlNanos,
        long mostHoldNanos,
        double driftBound,
        int mostOwners,
        boolean endsByWordAlone) {
    private static final int HEARTBEATS = 3;
    /** An owner under the watchdog has stopped, and has said so, that long before it fires. */
    static final long SAYING_NANOS = 1_000_000_000;

    public OwnersSetup {
        if (!(driftBound >= 0 && driftBound < 1)) {
            throw new IllegalArgumentException("driftBound is at least 0 and below 1, this one is " + driftBound);
        }
    }

    /** Bounds under which work has stopped once its sub-lease has passed. */
    public OwnersSetup(long leastTtlNanos, long mostTtlNanos, long mostHoldNanos, double driftBound, int mostOwners) {
        this(leastTtlNanos, mostTtlNanos, mostHoldNanos, driftBound, mostOwners, false);
    }

    /** The same bounds, where time alone shows nothing: for elections whose former leaders are turned off. */
    public OwnersSetup endingByWordAlone() {
        return new OwnersSetup(leastTtlNanos, mostTtlNanos, mostHoldNanos, driftBound, mostOwners, true);
    }

    /** May an owner have that time to live? */
    public boolean isTtl(long nanos) {
        return nanos >= leastTtlNanos && nanos <= mostTtlNanos;
    }

    /** How often an owner sends heartbeats at least: three times while an answer lasts. */
    public long heartbeatNanos(long ttlNanos) {
        return Math.min(ttlNanos, mostHoldNanos) / HEARTBEATS;
    }

    /** For how long the agent waits until an owner has surely counted that long: the owner's clock may be slow, and the agent's fast. */
    long waited(long nanos) {
        return (long) Math.ceil(nanos * ((1 + driftBound) / (1 - driftBound)));
    }

    /** What an owner may be told, so that it has surely counted that within so long on the agent's clock. */
    long told(long nanos) {
        return (long) (nanos * ((1 - driftBound) / (1 + driftBound)));
    }
}
