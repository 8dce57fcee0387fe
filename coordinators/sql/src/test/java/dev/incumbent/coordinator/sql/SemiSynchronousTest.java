package dev.incumbent.coordinator.sql;

import static dev.incumbent.coordinator.tck.Asking.ELECTION;
import static dev.incumbent.coordinator.tck.Asking.found;
import static dev.incumbent.coordinator.tck.Asking.swapped;
import static dev.incumbent.coordinator.tck.Asking.vacant;
import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.model.Revision;
import dev.incumbent.servers.MariaDbServer;
import dev.incumbent.servers.TcpProxy;
import dev.incumbent.servers.Waiting;
import dev.incumbent.time.SystemTimeline;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What an acknowledgement of MariaDB is worth beside a semi-synchronous replica: these tests hold what the page says that the server does, so that a version that does otherwise is
 * noticed.
 */
@Tag("field")
@Tag("realtime")
final class SemiSynchronousTest {
    private static final Duration REQUEST = Duration.ofSeconds(60);

    private final SystemTimeline timeline = new SystemTimeline();

    @AfterEach
    void close() {
        timeline.close();
    }

    /** The server stops to wait after {@code rpl_semi_sync_master_timeout}, and tells nobody who wrote. */
    @Test
    void aWriteThatTheReplicaLacksIsAcknowledgedAfterTheTimeoutAndLostByTheFailover() throws Exception {
        try (MariaDbServer primary = primary("AFTER_COMMIT");
                TcpProxy wire = TcpProxy.to(primary.port());
                MariaDbServer replica = primary.startReplica(wire.port())) {
            try (Coordinator client = open(primary)) {
                Revision first = swapped(client, Revision.ABSENT, vacant(1));
                awaitTerm(replica, 1);
                Waiting.until("ON", () -> status(primary).equals("ON"));
                wire.cut(TcpProxy.Fault.SILENT);

                swapped(client, first, vacant(2));

                assertThat(status(primary)).isEqualTo("OFF");
            }
            primary.kill();
            assertThat(replica.client("stop slave; set global read_only=OFF")).isEmpty();
            try (Coordinator client = open(replica)) {
                assertThat(found(client).record().term()).isEqualTo(1);
            }
        }
    }

    /** By default others read what the replica may never have; with AFTER_SYNC nobody does. */
    @ParameterizedTest
    @CsvSource({"AFTER_COMMIT, 2", "AFTER_SYNC, 1"})
    void whatOthersReadOfAWriteThatWaitsForTheReplica(String waitPoint, long read) throws Exception {
        try (MariaDbServer primary = primary(waitPoint);
                TcpProxy wire = TcpProxy.to(primary.port());
                MariaDbServer replica = primary.startReplica(wire.port());
                Coordinator writer = open(primary);
                Coordinator reader = open(primary)) {
            Revision first = swapped(writer, Revision.ABSENT, vacant(1));
            awaitTerm(replica, 1);
            Waiting.until("ON", () -> status(primary).equals("ON"));
            assertThat(primary.client("set global rpl_semi_sync_master_timeout=600000"))
                    .isEmpty();
            wire.cut(TcpProxy.Fault.SILENT);

            CompletionStage<Swap> waits = writer.swap(ELECTION, first, vacant(2));
            Waiting.until(
                    "its wait",
                    () -> primary.client("show status like 'Rpl_semi_sync_master_wait_sessions'")
                            .endsWith("\t1"));

            assertThat(found(reader).record().term()).isEqualTo(read);
            assertThat(waits.toCompletableFuture()).isNotDone();
            assertThat(primary.client("set global rpl_semi_sync_master_enabled=OFF"))
                    .isEmpty();
            assertThat(waits.toCompletableFuture().join()).isInstanceOf(Swap.Accepted.class);
        }
    }

    /** It waits for a third of a second, also for those who write before there is a replica. */
    private static MariaDbServer primary(String waitPoint) {
        List<String> options = List.of(
                "log-bin=log",
                "server-id=1",
                "rpl-semi-sync-master-enabled=ON",
                "rpl-semi-sync-master-timeout=300",
                "rpl-semi-sync-master-wait-point=" + waitPoint);
        return MariaDbServer.start(options, Map.of());
    }

    private static String status(MariaDbServer primary) {
        return primary.client("show status like 'Rpl_semi_sync_master_status'").replaceFirst(".*\t", "");
    }

    private static void awaitTerm(MariaDbServer replica, long term) {
        Waiting.until(
                "term " + term,
                () -> replica.client("select json_value(record, '$.term') from incumbent_election")
                        .equals(Long.toString(term)));
    }

    private Coordinator open(MariaDbServer server) {
        return new SqlCoordinatorProvider().open(server.jdbcUrl(), timeline, REQUEST, Mode.CREATE);
    }
}
