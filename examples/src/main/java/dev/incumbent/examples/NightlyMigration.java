package dev.incumbent.examples;

import dev.incumbent.LeaderTask;
import dev.incumbent.Leadership;
import dev.incumbent.fence.FenceException;
import dev.incumbent.fence.sql.JdbcFence;
import dev.incumbent.model.ElectionName;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * A migration of many steps that only one process may run, and that the next one takes up where the last one left it.
 *
 * <p>Each step, the note that it is done, and the admission of the token are one transaction. So a step is done once, whoever dies in between, and a runner
 * that was overtaken cannot do one more.
 */
public final class NightlyMigration implements LeaderTask {
    /** One step: its id, for ever, and what it does to the database. */
    public record Step(String id, String sql) {}

    private final ElectionName election;
    private final Path database;
    private final List<Step> steps;

    public NightlyMigration(String election, Path database, List<Step> steps) {
        this.election = new ElectionName(election);
        this.database = database;
        this.steps = List.copyOf(steps);
    }

    /** Runs what is not done yet; returning resigns. */
    @Override
    public void lead(Leadership leadership) throws Exception {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + database)) {
            execute(connection, "CREATE TABLE IF NOT EXISTS migration(step TEXT PRIMARY KEY)");
            connection.setAutoCommit(false);
            for (Step step : steps) {
                leadership.check();
                once(connection, step, leadership);
            }
        }
    }

    private void once(Connection connection, Step step, Leadership leadership) throws SQLException, FenceException {
        JdbcFence.over(connection).admit(election, leadership.token());
        if (!isDone(connection, step)) {
            execute(connection, step.sql());
            try (PreparedStatement note = connection.prepareStatement("INSERT INTO migration(step) VALUES (?)")) {
                note.setString(1, step.id());
                note.executeUpdate();
            }
        }
        connection.commit();
    }

    private static boolean isDone(Connection connection, Step step) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("SELECT 1 FROM migration WHERE step = ?")) {
            query.setString(1, step.id());
            try (ResultSet row = query.executeQuery()) {
                return row.next();
            }
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
