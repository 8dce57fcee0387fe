package dev.incumbent.protocol;

import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.Revision;

/**
 * A swap whose outcome is awaited: no other is sent meanwhile.
 *
 * @param next what it writes, under a nonce of its own
 * @param sentAtNanos just before it left
 * @param uncertainAtNanos when it was told uncertain; {@link Step#NEVER} while it is under way. Only a read sent later settles it
 */
public record Attempt(Kind kind, Revision expected, LeaderRecord next, long sentAtNanos, long uncertainAtNanos) {
    /** What a swap is for. */
    public enum Kind {
        CLAIM,
        ADD_SINKS,
        VACATE,
        DISOWN,
        CLEAR_REQUEST,
        ADD_FEATURES,
        NOTE_MOVE,
        SETTLE_HOLDERS
    }

    String nonce() {
        return next.nonce();
    }

    boolean isUncertain() {
        return uncertainAtNanos != Step.NEVER;
    }

    Attempt uncertain(long now) {
        return new Attempt(kind, expected, next, sentAtNanos, now);
    }
}
