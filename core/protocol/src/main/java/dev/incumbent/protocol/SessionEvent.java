package dev.incumbent.protocol;

import dev.incumbent.model.LeaseId;
import java.time.Duration;

/** What has happened to the one session of a process. Every effect that asks is answered by exactly one of these. */
public sealed interface SessionEvent {
    /** Somebody needs a lease. */
    record Opened() implements SessionEvent {}

    /** A lease was granted, for what really holds. */
    record Granted(LeaseId lease, Duration timeToLive, long sentAtNanos) implements SessionEvent {}

    /**
     * No lease was granted, as far as is known.
     *
     * @param refused the coordinator can be asked, and gives none as it is configured or as it stands; asking again helps once somebody has changed that
     */
    record GrantFailed(String why, boolean refused) implements SessionEvent {}

    /** A call failed as it always will in this process: a class is missing. It answers a grant, and beside that any call may tell it. */
    record Unusable(String why) implements SessionEvent {}

    /** The keep-alive that left at {@code sentAtNanos} was answered. */
    record KeptAlive(LeaseId lease, long sentAtNanos) implements SessionEvent {}

    /**
     * It was not answered within the request timeout, or could not be sent, or was refused.
     *
     * @param refused as of a grant
     */
    record KeepAliveFailed(LeaseId lease, String why, boolean refused) implements SessionEvent {}

    /** The lease is dead, for ever. */
    record Died(LeaseId lease) implements SessionEvent {}

    /** A task of some election will not stop, and nothing fences it: its lease must not be kept for ever. */
    record TaskStalled() implements SessionEvent {}

    /** The process leaves all its elections: a lease that is held is kept for their sake, but no other is asked for. */
    record Closing() implements SessionEvent {}

    /** Every election has left: the lease may go. */
    record Closed() implements SessionEvent {}

    /** The time to wake has come, or anybody thought so. */
    record Woken() implements SessionEvent {}
}
