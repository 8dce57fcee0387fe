package dev.incumbent.peers.raft;

import dev.incumbent.peers.MemberId;
import java.util.Optional;

/**
 * Why a member votes for nobody, and until when. It is not on the disk: after a start one longest lease stands for what was forgotten. Its
 * times are on the clock of what has surely passed, which no wall clock moves.
 *
 * @param leader who was heard to lead, and not known to have ended
 * @param boundUntilNanos one lease after the last heartbeat was answered
 * @param mutedUntilNanos one longest lease after the start
 */
public record VotePromise(Optional<MemberId> leader, long boundUntilNanos, long mutedUntilNanos) {
    static final VotePromise NONE = new VotePromise(Optional.empty(), Long.MIN_VALUE, Long.MIN_VALUE);

    VotePromise muted(long until) {
        return new VotePromise(leader, boundUntilNanos, until);
    }

    VotePromise bound(MemberId to, long until) {
        return new VotePromise(Optional.of(to), until, mutedUntilNanos);
    }

    /** The leader is gone; what was promised still binds. */
    VotePromise leaderless() {
        return new VotePromise(Optional.empty(), boundUntilNanos, mutedUntilNanos);
    }
}
