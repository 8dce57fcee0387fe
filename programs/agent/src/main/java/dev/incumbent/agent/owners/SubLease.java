package dev.incumbent.agent.owners;

/**
 * The term that this agent leads, and for how long its owner may believe so. It belongs to one owner for as long as it lasts.
 *
 * @param untilNanos when the owner's belief has passed, on the agent's clock; the beginning of the term while nothing was granted
 * @param ending the term ends: nothing more is granted
 * @param stopped the owner said that its work has stopped
 */
public record SubLease(long token, String owner, long untilNanos, boolean ending, boolean stopped) {
    static SubLease begun(long token, String owner, long nowNanos) {
        return new SubLease(token, owner, nowNanos, false, false);
    }

    SubLease granted(long until) {
        return new SubLease(token, owner, Math.max(untilNanos, until), ending, stopped);
    }

    SubLease ends() {
        return new SubLease(token, owner, untilNanos, true, stopped);
    }

    SubLease stops() {
        return new SubLease(token, owner, untilNanos, true, true);
    }
}
