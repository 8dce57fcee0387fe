package dev.incumbent.fence.sql;

import dev.incumbent.fence.Fence;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.sql.SqlUri;
import dev.incumbent.wire.Redaction;
import dev.incumbent.wire.UriException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** One kind of database: how it is opened, installed and guarded, and how a transaction in it is admitted. */
interface Dialect {
    /** What its URLs begin with, the form that people write first. */
    List<String> prefixes();

    Sink open(String url, Duration bound);

    void install(String url);

    void guard(String url, String table, ElectionName election);

    Fence fence(Connection connection);

    /**
     * Text that admits a transaction, and ends with a semicolon: it stands before the transaction's first statement, and travels with it. Each statement in it
     * answers one result. Empty where the server takes one statement a round trip.
     */
    default Optional<String> admission(ElectionName election, FencingToken token) {
        return Optional.empty();
    }

    /** What people call it. */
    String product();

    /** The driver that it needs, which an application brings. */
    DriverClass driver();

    /** How it reads the text of statements. */
    Lexis lexis();

    /**
     * May it commit by itself before it executes a statement that begins with these words? With that commit an admission would end, while the statement is
     * still to come.
     */
    default boolean mayCommitFirst(List<String> words) {
        return false;
    }

    /** May a statement that begins with these words end the transaction under way, and begin the next one? Beside {@code COMMIT}, {@code ROLLBACK} and the like. */
    default boolean mayEndBy(List<String> words) {
        return false;
    }

    /** Sees to it that a transaction is under way where autocommit is off, if its driver does not. */
    default void ensureTransaction(Connection connection) throws SQLException {}

    /** What sees whether a procedure ended the transaction that it was called in; empty where none can. */
    default Optional<Witness> witness() {
        return Optional.empty();
    }

    /**
     * Is the transaction under way the one that was admitted? Asked where a function that a query calls may have ended it; true where none can.
     */
    default boolean isStillAdmitted(Connection connection, ElectionName election, FencingToken token)
            throws SQLException {
        return true;
    }

    default boolean opens(String url) {
        return prefixes().stream().anyMatch(url::startsWith);
    }

    /** What a URL of this house says; its failures show no secret. */
    static SqlUri uri(String url) {
        try {
            return SqlUri.parse(url, name -> Optional.ofNullable(System.getenv(name)))
                    .orElseThrow(() -> new IllegalArgumentException("the sink " + Redaction.of(url)
                            + " is not understood; write postgresql://USER@HOST:PORT/DATABASE"));
        } catch (UriException e) {
            throw new IllegalArgumentException("the sink " + e.getMessage(), e);
        }
    }
}
