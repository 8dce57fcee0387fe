package dev.incumbent.examples;

import dev.incumbent.fence.FenceException;
import dev.incumbent.fence.sql.JdbcFence;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** A table that stands behind a fence: a line and the admission of its writer's token are one transaction. One thread at a time. */
public final class Ledger implements AutoCloseable {
    private final ElectionName election;
    private final Connection connection;

    /** The ledger in a SQLite file, whose lines the leaders of that election write. */
    public Ledger(Path file, String election) throws SQLException {
        this.election = new ElectionName(election);
        this.connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE IF NOT EXISTS ledger(id INTEGER PRIMARY KEY, line TEXT NOT NULL)");
        }
        connection.setAutoCommit(false);
    }

    /** Appends a line, or nothing: a token of the past is refused by the sink itself. */
    public void append(String line, FencingToken token) throws SQLException, FenceException {
        boolean done = false;
        try {
            JdbcFence.over(connection).admit(election, token);
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO ledger(line) VALUES (?)")) {
                insert.setString(1, line);
                insert.executeUpdate();
            }
            connection.commit();
            done = true;
        } finally {
            if (!done) {
                connection.rollback();
            }
        }
    }

    /** All lines, in order. */
    public List<String> lines() throws SQLException {
        List<String> lines = new ArrayList<>();
        try (Statement query = connection.createStatement();
                ResultSet rows = query.executeQuery("SELECT line FROM ledger ORDER BY id")) {
            while (rows.next()) {
                lines.add(rows.getString(1));
            }
        }
        connection.rollback();
        return lines;
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
