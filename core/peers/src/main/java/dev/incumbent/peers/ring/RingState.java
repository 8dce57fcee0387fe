package dev.incumbent.peers.ring;

import dev.incumbent.model.Sorted;
import dev.incumbent.peers.MemberId;
import dev.incumbent.protocol.Step;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One member of a ring. Immutable; nothing of it outlives the process.
 *
 * @param leader who leads, as far as this member believes; itself while it leads
 * @param dueAtNanos when its leader is silent, or, while it leads, when the next heartbeat is due
 * @param electionEndsAtNanos until when it takes part in an election; {@link Step#NEVER} where it takes part in none
 * @param dead who did not take a token during this election: the ring leads past them
 * @param passed tokens that nobody has taken yet, by their numbers
 * @param lastNumber of the tokens that this member has passed
 */
public record RingState(
        Phase phase,
        Optional<MemberId> leader,
        long dueAtNanos,
        long electionEndsAtNanos,
        Set<MemberId> dead,
        Map<Long, PassedToken> passed,
        long lastNumber) {
    /** Where a member stands. */
    public enum Phase {
        /** Its process has not started. */
        STOPPED,
        /** Follows a leader, or knows none. */
        FOLLOWER,
        /** Believes that it leads. */
        LEADER
    }

    /**
     * A token that was sent and not taken yet.
     *
     * @param to who should have taken it by {@code dueAtNanos}
     */
    public record PassedToken(RingToken token, MemberId to, long dueAtNanos) {}

    public static final RingState START =
            new RingState(Phase.STOPPED, Optional.empty(), Step.NEVER, Step.NEVER, Set.of(), Map.of(), 0);

    public RingState {
        dead = Sorted.copyOf(dead);
        passed = Sorted.copyOf(passed);
    }
}
