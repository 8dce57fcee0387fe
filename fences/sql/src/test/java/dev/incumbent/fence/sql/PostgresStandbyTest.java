package dev.incumbent.fence.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.fence.Sink;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.servers.PostgresServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Servers of PostgreSQL that are not as usual: a standby, and one that prepares transactions. */
@Tag("trial")
class PostgresStandbyTest {
    private static final Duration BOUND = Duration.ofSeconds(5);

    @Test
    void aStandbyTakesNoRaiseAndSaysWhy() throws Exception {
        try (PostgresServer server = PostgresServer.start()) {
            PostgresDatabase database = PostgresDatabase.create(server);
            Leader.raise(database, 7);
            server.kill();
            Path signal = Files.createFile(server.folder().resolve("data").resolve("standby.signal"));
            server.startAgain();

            try (Sink sink = new SqlSinkProvider().open(database.url(), BOUND)) {
                assertThatThrownBy(() -> sink.raise(Leader.BILLING, mark(8))
                                .toCompletableFuture()
                                .join())
                        .hasMessageContaining("the server is read-only, as a standby is");
                assertThat(sink.marks().toCompletableFuture().join().marks())
                        .isEqualTo(Map.of(Leader.BILLING, mark(7)));
            }
            assertThat(signal).exists();
        }
    }

    /** It keeps its locks, even over a restart. */
    @Test
    void aPreparedTransactionHoldsUpARaiseUntilItIsDecided() throws Exception {
        try (PostgresServer server = PostgresServer.start(List.of("max_prepared_transactions=5"), Map.of())) {
            PostgresDatabase database = PostgresDatabase.create(server);
            Leader.raise(database, 7);
            try (Connection leader = Leader.ofTerm7(database.connect())) {
                Leader.insert(leader, "prepared");
                Installation.execute(leader, "PREPARE TRANSACTION 'x'");
            }
            assertHeldUp(database);
            server.kill();
            server.startAgain();
            assertHeldUp(database);

            database.run("COMMIT PREPARED 'x'");
            Leader.raise(database, 8);

            assertThat(database.lines()).containsExactly("prepared");
        }
    }

    private static void assertHeldUp(PostgresDatabase database) {
        try (Sink sink = new SqlSinkProvider().open(database.url(), BOUND)) {
            assertThatThrownBy(() -> sink.raise(Leader.BILLING, mark(8))
                            .toCompletableFuture()
                            .join())
                    .hasMessageContaining("gave up after 5000 ms")
                    .hasMessageContaining("the prepared transaction x, until it is committed or rolled back");
        }
    }

    private static Mark mark(long token) {
        return new Mark(new FencingToken(token), MarkOwner.ofOperator("me"));
    }
}
