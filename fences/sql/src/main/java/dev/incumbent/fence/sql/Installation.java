package dev.incumbent.fence.sql;

import dev.incumbent.fence.SinkException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Objects;

/** Work of an installer's on a connection of its own, in one transaction where the server has them for it. */
record Installation(Server server) {
    private static final Duration LONGEST = Duration.ofSeconds(30);

    static Installation of(Server server) {
        return new Installation(server);
    }

    /** What is done. */
    interface Work {
        void on(Connection connection) throws SQLException;
    }

    void run(String doing, Work work) {
        try (Connection connection = server.connect(LONGEST)) {
            connection.setAutoCommit(false);
            work.on(connection);
            connection.commit();
        } catch (SQLException failure) {
            throw new SinkException(server.label() + ": " + doing + " failed: " + server.meaning(failure), failure);
        }
    }

    /** Runs statements, whatever they answer. */
    static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** One of the scripts beside this class. */
    static String script(String name) {
        try (InputStream script = Installation.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(script, name).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
