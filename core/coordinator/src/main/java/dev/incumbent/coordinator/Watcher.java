package dev.incumbent.coordinator;

import dev.incumbent.model.ObservedRecord;

/**
 * Is told the changes of one election. It is called one call at a time, while the coordinator holds none of its locks, and must return at once. An exception that
 * it throws goes to the thread's handler of uncaught exceptions. The watch continues; other watchers are not affected.
 */
public interface Watcher {
    /**
     * The record has changed, or its leader's lease has died, or this is the first call. If the election was never written, {@code record} is {@link
     * ObservedRecord#ABSENT}.
     */
    void changed(ObservedRecord record);

    /** A change may have been missed, or the store was restored to an older state, or the record cannot be read any more: read the record again. */
    void gap();

    /**
     * The state that was told last was still current at {@code sentAtNanos}. This is the time, on the coordinator's timeline, just before the coordinator sent the
     * request that proved it. Only stores whose {@link Capabilities#provesCurrency} is true call this method. For an election that another process leads, they
     * may call it as rarely as once in eight request timeouts, because only a leader's term depends on such a proof.
     */
    void currentAsOf(long sentAtNanos);
}
