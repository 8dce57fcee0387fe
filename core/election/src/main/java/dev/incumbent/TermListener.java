package dev.incumbent;

import dev.incumbent.model.EndReason;

/**
 * Is told when the terms of a candidacy begin and end. It is used without a task or together with one.
 *
 * <p>For each term, the listener is told the beginning once and then the end once, in order. The listeners of one candidacy are called one at a time; those of
 * several candidacies run in parallel. A listener that blocks delays only the listeners of its own candidacy. The protocol does not wait: when the listener is
 * told of a beginning, the term may already have ended, and when it is told of an end, another process may already lead. So use a listener to start and stop
 * things. Before each action, ask the {@link Guard}, and let the fence check the write.
 */
public interface TermListener {
    /**
     * A term has begun. Without a task, a StaleTokenException that this method throws ends the term as superseded; any other exception ends it as failed. The
     * process remains a candidate. With a task, an exception is reported and changes nothing.
     */
    void onGranted(Leadership leadership) throws Exception;

    /** The term has ended: its guard says no. An exception that this method throws is traced and changes nothing. */
    void onRevoked(Leadership leadership, EndReason reason);
}
