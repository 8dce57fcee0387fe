package dev.incumbent.peers.bully;

import dev.incumbent.peers.MemberId;
import dev.incumbent.protocol.Step;
import java.util.Optional;

/**
 * One member of a bully. Immutable; nothing of it outlives the process.
 *
 * @param leader who leads, as far as this member believes; itself while it leads
 * @param dueAtNanos when the phase ends by itself, or the next heartbeat is due
 */
public record BullyState(Phase phase, Optional<MemberId> leader, long dueAtNanos) {
    /** Where a member stands. */
    public enum Phase {
        /** Its process has not started. */
        STOPPED,
        /** Follows a leader, and waits for its heartbeats. */
        FOLLOWER,
        /** Has asked the greater members, and none has answered yet. */
        ELECTING,
        /** A greater member is alive; waits until one says that it leads. */
        WAITING,
        /** Believes that it leads. */
        LEADER
    }

    public static final BullyState START = new BullyState(Phase.STOPPED, Optional.empty(), Step.NEVER);
}
