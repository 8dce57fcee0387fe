package dev.incumbent.fence.jdbc;

import dev.incumbent.fence.Fence;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import java.sql.Connection;
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

    default boolean opens(String url) {
        return prefixes().stream().anyMatch(url::startsWith);
    }
}
