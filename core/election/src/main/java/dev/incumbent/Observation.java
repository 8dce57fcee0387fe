package dev.incumbent;

import java.util.Optional;

/** An election that is observed, until this or the {@link Elections} are closed. Thread-safe. */
public interface Observation extends AutoCloseable {
    /** The change that was heard last; empty until the coordinator has answered first. It may be old by as long as the coordinator does not answer. */
    Optional<LeaderChange> last();

    /** Ends it; a call that is under way may still end. */
    @Override
    void close();
}
