package dev.incumbent;

import dev.incumbent.model.EndReason;

/**
 * Hears when the terms of a candidacy begin and end; instead of a task, or beside one.
 *
 * <p>Each term that begins is told to begin, then to end, in order and never twice. One candidacy's listeners are called one at a time, several candidacies' side
 * by side: one that blocks delays its own candidacy's listeners and nothing else. The protocol does not wait: by the time a beginning is told the term may be over,
 * and when an end is told another process may lead already. So a listener starts and stops things; what may act at an instant the {@link Guard} says, and the fence.
 */
public interface TermListener {
    /**
     * A term has begun. Without a task, a StaleTokenException leaving this ends it as superseded, any other exception as failed; the election lives on. Beside a
     * task an exception is told, and changes nothing.
     */
    void onGranted(Leadership leadership) throws Exception;

    /** It is over: its guard says no. An exception leaving this is traced, and changes nothing. */
    void onRevoked(Leadership leadership, EndReason reason);
}
