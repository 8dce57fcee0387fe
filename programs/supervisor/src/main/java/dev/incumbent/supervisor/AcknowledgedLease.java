package dev.incumbent.supervisor;

import java.util.ArrayDeque;
import java.util.OptionalLong;

/**
 * What the supervisor is known to hold: the {@code killAt} of the last lease it acknowledged. A lease it did not
 * accept, since the one before had lapsed, changes nothing. One thread at a time.
 */
final class AcknowledgedLease {
    private record Sent(long killAtNanos, long killAtBoot) {}

    private final ArrayDeque<Sent> unanswered = new ArrayDeque<>();
    private OptionalLong killAtNanos = OptionalLong.empty();
    private OptionalLong firstSent = OptionalLong.empty();

    void sent(long killAt, long killAtBoot) {
        unanswered.addLast(new Sent(killAt, killAtBoot));
        if (firstSent.isEmpty()) {
            firstSent = OptionalLong.of(killAt);
        }
    }

    /** Each lease is answered once, in order, by the {@code killAt} then in force. */
    void acknowledged(long killAtBootInForce) {
        Sent oldest = unanswered.removeFirst();
        if (oldest.killAtBoot() == killAtBootInForce) {
            killAtNanos = OptionalLong.of(oldest.killAtNanos());
        }
    }

    /** The deadline at which the supervisor, if it is well, has killed everything; empty before the first lease. */
    OptionalLong killAt() {
        return killAtNanos.isPresent() ? killAtNanos : firstSent;
    }

    boolean hasPassedAt(long nowNanos) {
        return killAt().isPresent() && nowNanos - killAt().getAsLong() >= 0;
    }
}
