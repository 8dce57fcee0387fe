package dev.incumbent.agent.owners;

/**
 * The term that this agent leads, and for how long its owner may believe so. It belongs to one owner for as long as it lasts.
 *
 * @param untilNanos when the owner's belief has passed, on the agent's clock; the beginning of the term while nothing was granted
 * @param ending the term ends: nothing more is granted
 * @param stopped the owner said that its work has stopped
 * @param shield what the watchdog does for it
 */
public record SubLease(long token, String owner, long untilNanos, boolean ending, boolean stopped, Shield shield) {
    static SubLease begun(long token, Owner owner, long nowNanos) {
        return new SubLease(token, owner.id(), nowNanos, false, false, Shield.of(owner.watched()));
    }

    SubLease under(Shield other) {
        return new SubLease(token, owner, untilNanos, ending, stopped, other);
    }

    /** When it may be given up although the owner has not said that its work has stopped. */
    long endNanos() {
        return shield.endNanos(untilNanos);
    }

    SubLease granted(long until) {
        return new SubLease(token, owner, Math.max(untilNanos, until), ending, stopped, shield.usedNow());
    }

    SubLease ends() {
        return new SubLease(token, owner, untilNanos, true, stopped, shield);
    }

    SubLease stops() {
        return new SubLease(token, owner, untilNanos, true, true, shield);
    }
}
