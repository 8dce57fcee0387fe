package dev.incumbent.protocol;

import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Timing;
import java.time.Duration;

/**
 * The session's lease as one election knows it.
 *
 * @param timeToLive what was really granted
 * @param sentAtNanos just before the very request left that was answered
 * @param ending the session renews it no more
 */
public record HeldLease(LeaseId id, Duration timeToLive, long sentAtNanos, boolean ending) {
    /** Until when it is valid for its holder. */
    public long validUntilNanos(Timing timing) {
        return sentAtNanos + timing.validForNanos(timeToLive);
    }

    HeldLease renewed(long sentAt) {
        return new HeldLease(id, timeToLive, Math.max(sentAtNanos, sentAt), ending);
    }

    HeldLease ended() {
        return new HeldLease(id, timeToLive, sentAtNanos, true);
    }
}
