package dev.incumbent.coordinator;

/** One watch of one election, until it is closed. */
public interface Watch extends AutoCloseable {
    /** Ends the watch. A call of the watcher that has begun may still end. Never fails, may be called twice. */
    @Override
    void close();
}
