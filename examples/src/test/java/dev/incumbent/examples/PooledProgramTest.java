package dev.incumbent.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.servers.PostgresServer;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The first program over PostgreSQL and a pool, as the page tells it. */
@Timeout(180)
class PooledProgramTest {
    private static final long A_MOMENT_NANOS = 20_000_000;

    @TempDir
    private Path folder;

    @Test
    void theSecondGoesOnWithAGreaterTokenWhereTheFirstEnds() throws Exception {
        try (PostgresServer database = PostgresServer.start();
                StartedProgram first = StartedProgram.of(PooledProgram.class, folder, database.jdbcUrl())) {
            first.awaitLine("I lead, token 1");
            awaitWritten(database, "1");
            try (StartedProgram second = StartedProgram.of(PooledProgram.class, folder, database.jdbcUrl())) {
                second.awaitLine("I stand");

                first.pressEnter();

                second.awaitLine("I lead, token 2");
                awaitWritten(database, "2");
                assertThat(first.awaitEnd()).isZero();
                second.pressEnter();
                assertThat(second.awaitEnd()).isZero();
            }
        }
    }

    private static void awaitWritten(PostgresServer database, String token) {
        while (!written(database).contains(token)) {
            LockSupport.parkNanos(A_MOMENT_NANOS);
        }
    }

    /** The tokens of its lines; none before there is a ledger. */
    private static String written(PostgresServer database) {
        return database.psql("SELECT to_regclass('ledger')").isBlank()
                ? ""
                : database.psql("SELECT DISTINCT token FROM ledger");
    }
}
