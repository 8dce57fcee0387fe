package dev.incumbent.fence.jdbc;

import dev.incumbent.fence.Fence;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.ElectionName;
import java.sql.Connection;
import java.time.Duration;

/** One kind of database: how it is opened, installed and guarded, and how a transaction in it is admitted. */
interface Dialect {
    /** What its URLs begin with, the form that people write first. */
    java.util.List<String> prefixes();

    Sink open(String url, Duration bound);

    void install(String url);

    void guard(String url, String table, ElectionName election);

    Fence fence(Connection connection);

    default boolean opens(String url) {
        return prefixes().stream().anyMatch(url::startsWith);
    }
}
