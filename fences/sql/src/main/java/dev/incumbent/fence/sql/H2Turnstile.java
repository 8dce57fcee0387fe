package dev.incumbent.fence.sql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Where admissions of one election queue while a raise waits. Every database has its one engine in one JVM, and what the engine calls is static: so are the
 * turnstiles, one for each election of each open database.
 */
final class H2Turnstile {
    private static final Map<String, H2Turnstile> ALL = new ConcurrentHashMap<>();

    private final ReentrantLock fair = new ReentrantLock(true);

    /** While it is held, nobody passes. */
    interface Closed extends AutoCloseable {
        @Override
        void close();
    }

    private H2Turnstile() {}

    static H2Turnstile of(Connection connection, String election) throws SQLException {
        String database = connection.getCatalog() + "|" + text(connection, "SELECT DATABASE_PATH()");
        return ALL.computeIfAbsent(database + "|" + election, unknown -> new H2Turnstile());
    }

    /** Waits, as long as the session waits for locks, while a raise has it closed. */
    void pass(Connection connection) throws SQLException {
        close(connection).close();
    }

    Closed close(Connection connection) throws SQLException {
        try {
            if (!fair.tryLock()
                    && !fair.tryLock(
                            Long.parseLong(text(connection, "SELECT LOCK_TIMEOUT()")), TimeUnit.MILLISECONDS)) {
                throw new SQLException("a raise waits too long for transactions that are admitted", "HYT00", 50200);
            }
            return fair::unlock;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new SQLException("interrupted behind a raise", "HYT00", 50200, interrupted);
        }
    }

    private static String text(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return String.valueOf(row.getString(1));
        }
    }
}
