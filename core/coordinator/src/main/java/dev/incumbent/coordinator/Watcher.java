package dev.incumbent.coordinator;

import dev.incumbent.model.ObservedRecord;

/**
 * Who watches one election. Called one call at a time, off the coordinator's own locks; must return at once. What it throws goes to the thread's handler of uncaught
 * exceptions: it is told no less for it, and nobody else is disturbed.
 */
public interface Watcher {
    /**
     * The record changed, or its leader's lease died, or this is the first call: of an election that was never written it is
     * {@link ObservedRecord#ABSENT}.
     */
    void changed(ObservedRecord record);

    /** Something may have been missed, or the store went back, or the record cannot be read any more: read again. */
    void gap();

    /**
     * What was last told is current as of {@code sentAtNanos}, an instant on the coordinator's timeline just before the question left that this
     * answers. Only stores whose capabilities prove currency call it. What another process holds may be proved rarely, once in eight request timeouts: only a leader's
     * term rests on a proof.
     */
    void currentAsOf(long sentAtNanos);
}
