package dev.incumbent.coordinator;

/** A watch under way. */
public interface Watch extends AutoCloseable {
    /** Ends it; the watcher may hear one last call that was under way. Never fails, may be called twice. */
    @Override
    void close();
}
