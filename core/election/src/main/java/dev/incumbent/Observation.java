package dev.incumbent;

import java.util.Optional;

/** The observation of one election, until this object or the {@link Elections} are closed. Thread-safe. */
public interface Observation extends AutoCloseable {
    /** The last change of leader; empty until the coordinator has answered for the first time. While the coordinator does not answer, it may be out of date. */
    Optional<LeaderChange> last();

    /** Ends the observation. A call of the listener that has begun may still end. */
    @Override
    void close();
}
