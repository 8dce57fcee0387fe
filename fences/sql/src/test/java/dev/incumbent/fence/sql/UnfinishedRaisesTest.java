package dev.incumbent.fence.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.servers.MariaDbServer;
import dev.incumbent.servers.PostgresServer;
import dev.incumbent.servers.Waiting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A commit that waits for a replica goes on waiting when its client has gone: raises that are given up are not to take all the server's places. */
@Tag("field")
@Tag("realtime")
class UnfinishedRaisesTest {
    private static final Duration BOUND = Duration.ofSeconds(1);
    private static final int ROUNDS = 10;

    /** Those that a sink had, and twice as many that came before the first had waited for long: MariaDB counts whole seconds. */
    private static final int MOST = 3 * Lanes.MOST;

    @Test
    void aPostgresThatLostItsStandbyKeepsAFewSessionsOfRaises() throws Exception {
        try (PostgresServer primary = PostgresServer.start()) {
            PostgresDatabase database = PostgresDatabase.create(primary);
            Leader.raise(database, 7);
            try (PostgresServer standby = primary.startStandby()) {
                primary.waitForAStandby();
                standby.freeze();
                IntSupplier waiting = () -> Integer.parseInt(
                        primary.psql("select count(*) from pg_stat_activity where wait_event='SyncRep'"));

                assertFewWait(database.url(), waiting, ", SyncRep)");

                standby.thaw();
                Waiting.until("the end of the wait", () -> waiting.getAsInt() == 0);
                Leader.raise(database, 8);
            }
        }
    }

    /** With a long timeout, as those set it who want no acknowledgement without a replica. */
    @Test
    void aMariaDbThatLostItsReplicaKeepsAFewSessionsOfRaises() throws Exception {
        try (MariaDbServer server = MariaDbServer.start(
                List.of("log-bin=log", "server-id=1", "log-bin-trust-function-creators=ON"), Map.of())) {
            MariaDbDatabase database = MariaDbDatabase.create(server);
            Leader.raise(database, 7);
            String on = server.client("set global rpl_semi_sync_master_timeout=3600000;"
                    + " set global rpl_semi_sync_master_wait_no_slave=ON; set global rpl_semi_sync_master_enabled=ON");
            IntSupplier waiting = () -> Integer.parseInt(server.client(
                    "select count(*) from information_schema.processlist where info='commit' and state like '%ACK%'"));

            assertFewWait(database.url(), waiting, " s, ");

            assertThat(on + server.client("set global rpl_semi_sync_master_enabled=OFF"))
                    .isEmpty();
            Waiting.until("the end of the wait", () -> waiting.getAsInt() == 0);
            Leader.raise(database, 8);
        }
    }

    private static void assertFewWait(String url, IntSupplier waiting, String why) {
        int elections = 0;
        String last = "";
        try (Sink sink = new SqlSinkProvider().open(url, BOUND)) {
            for (int round = 0; round < ROUNDS; round++) {
                List<CompletionStage<Raise>> raises = new ArrayList<>();
                for (int i = 0; i < Lanes.MOST; i++) {
                    raises.add(sink.raise(
                            new ElectionName("job/" + elections++),
                            new Mark(new FencingToken(1), MarkOwner.ofOperator("me"))));
                }
                for (CompletionStage<Raise> raise : raises) {
                    last = raise.handle((answer, failure) -> failure == null ? "raised" : failure.getMessage())
                            .toCompletableFuture()
                            .join();
                }
            }
            assertThat(waiting.getAsInt()).as("sessions that wait").isPositive().isLessThanOrEqualTo(MOST);
            assertThat(last).contains("has not done earlier raises (", why);
            assertThat(sink.marks().toCompletableFuture().join().marks())
                    .as("what only reads is answered")
                    .containsKey(Leader.BILLING);
        }
    }
}
