package dev.incumbent.fence.sql;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.servers.ClassPath;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** On PostgreSQL, the leader's admissions wait behind a raise that waits. So one whose process was killed must leave the queue. */
@Tag("field")
@Tag("realtime")
@Timeout(180)
class KilledRaiseTest {
    private static final String ADMIT = "SELECT incumbent.admit('billing', 7)";

    private final PostgresDatabase database = PostgresDatabase.create();

    /** Raises to 8, and waits for a long time if need be. */
    static final class Raising {
        public static void main(String[] arguments) {
            try (Sink sink = new SqlSinkProvider().open(arguments[0], Duration.ofMinutes(5))) {
                Raise raise = sink.raise(Leader.BILLING, new Mark(new FencingToken(8), MarkOwner.ofOperator("me")))
                        .toCompletableFuture()
                        .join();
                System.out.println(raise);
            }
        }
    }

    @BeforeEach
    void raiseTo7() {
        Leader.raise(database, 7);
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void aRaiseWhoseProcessWasKilledDoesNotHoldUpTheLeader() throws Exception {
        try (Connection admitted = admitted()) {
            Process raising = raising();
            database.awaitWaiting(1);

            raising.destroyForcibly().waitFor();

            assertNextAdmissionIsSoon();
            admitted.rollback();
        }
    }

    /** The statement that asks the server to look comes before the one that waits, as the page says. */
    @Test
    void aRaiseByHandThatWasKilledDoesNotDoSoEither() throws Exception {
        try (Connection admitted = admitted();
                PlainClient psql = PlainClient.to(database)) {
            psql.send(
                    "SET client_connection_check_interval = '1s'",
                    "SELECT * FROM incumbent.raise('billing', 8, 'operator:me')");
            database.awaitWaiting(1);

            psql.kill();

            assertNextAdmissionIsSoon();
            admitted.rollback();
        }
    }

    private Connection admitted() throws SQLException {
        Connection connection = database.connect();
        connection.setAutoCommit(false);
        Installation.execute(connection, ADMIT);
        return connection;
    }

    private void assertNextAdmissionIsSoon() throws Exception {
        CompletableFuture<Connection> next = CompletableFuture.supplyAsync(() -> {
            try {
                return admitted();
            } catch (SQLException failure) {
                throw new IllegalStateException(failure);
            }
        });
        try (Connection connection = next.get(20, SECONDS)) {
            connection.rollback();
        }
        assertThat(database.column("SELECT token FROM incumbent.fence")).containsExactly("7");
    }

    private Process raising() throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        ClassPath.text(),
                        Raising.class.getName(),
                        database.url())
                .inheritIO()
                .start();
    }
}
