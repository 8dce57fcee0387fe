package dev.incumbent.coordinator.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/** Where the sessions with a database server come from. Thread-safe. */
interface ServerSource {
    Dialect dialect();

    /** What the server is called in a sentence; no secret. */
    String label();

    /** Who logs in; empty where nobody knows. */
    String user();

    /** A new connection; the attempt is given up after the request timeout, where its source can be told so. */
    Connection connect(Duration requestTimeout) throws SQLException;

    /** The server that was connected last takes no writes: where its host's name has other addresses, they are tried first from now on. */
    default void leave() {}

    /** How a connection ends that is as it came: asked before anything is done with it. */
    Ending ending(Connection fresh) throws SQLException;

    /** Ends one connection. */
    @FunctionalInterface
    interface Ending {
        void end() throws SQLException;

        /** Ends one that is not to serve anybody again: it may never take a write. */
        default void abandon() throws SQLException {
            end();
        }
    }
}
