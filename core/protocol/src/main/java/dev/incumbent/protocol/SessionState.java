package dev.incumbent.protocol;

import java.util.Optional;

/**
 * The one session of a process: its lease, and what is under way. Immutable.
 *
 * @param asking a grant or a keep-alive is under way
 * @param dueAtNanos when the next is due
 * @param failures how many keep-alives or grants have failed in a row
 * @param last no other lease is asked for once this one is gone
 */
public record SessionState(
        Phase phase, Optional<HeldLease> lease, boolean asking, long dueAtNanos, int failures, boolean last) {
    /** Where a session stands. */
    public enum Phase {
        /** Nobody needs a lease yet. */
        IDLE,
        /** Wants a lease. */
        GRANTING,
        /** Has one, and keeps it alive. */
        HELD,
        /** Has one, and lets it run out. */
        ENDING,
        /** Is over. */
        CLOSED
    }

    public static final SessionState START =
            new SessionState(Phase.IDLE, Optional.empty(), false, Step.NEVER, 0, false);

    SessionState isLast() {
        return new SessionState(phase, lease, asking, dueAtNanos, failures, true);
    }
}
