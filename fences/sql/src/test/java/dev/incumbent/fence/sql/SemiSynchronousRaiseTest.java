package dev.incumbent.fence.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.servers.MariaDbServer;
import dev.incumbent.servers.TcpProxy;
import dev.incumbent.servers.Waiting;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Holds what the page says that MariaDB does, so that a version that does otherwise is noticed. */
@Tag("field")
@Tag("realtime")
class SemiSynchronousRaiseTest {
    private static final Duration BOUND = Duration.ofSeconds(10);

    /** The server stops to wait after {@code rpl_semi_sync_master_timeout}, and tells nobody who raised. */
    @Test
    void aRaiseThatTheReplicaLacksIsAcknowledgedAfterTheTimeoutAndLostByTheFailover() {
        List<String> options = List.of(
                "log-bin=log",
                "server-id=1",
                "log-bin-trust-function-creators=ON",
                "rpl-semi-sync-master-enabled=ON",
                "rpl-semi-sync-master-timeout=300");
        try (MariaDbServer primary = MariaDbServer.start(options, Map.of());
                TcpProxy wire = TcpProxy.to(primary.port());
                MariaDbServer replica = primary.startReplica(wire.port())) {
            new SqlSinkProvider().install(primary.jdbcUrl());
            try (Sink sink = new SqlSinkProvider().open(primary.jdbcUrl(), BOUND)) {
                assertThat(raised(sink, 7)).isInstanceOf(Raise.Raised.class);
                Waiting.until(
                        "mark 7",
                        () -> replica.client("select token from incumbent_fence")
                                .equals("7"));
                Waiting.until(
                        "ON",
                        () -> primary.client("show status like 'Rpl_semi_sync_master_status'")
                                .endsWith("\tON"));
                wire.cut(TcpProxy.Fault.SILENT);

                assertThat(raised(sink, 8)).isInstanceOf(Raise.Raised.class);
            }
            primary.kill();
            assertThat(replica.client("stop slave; set global read_only=OFF")).isEmpty();
            try (Sink sink = new SqlSinkProvider().open(replica.jdbcUrl(), BOUND)) {
                assertThat(sink.marks().toCompletableFuture().join().marks()).containsEntry(Leader.BILLING, mark(7));
                assertThat(raised(sink, 8)).isInstanceOf(Raise.Raised.class);
            }
        }
    }

    private static Raise raised(Sink sink, long token) {
        return sink.raise(Leader.BILLING, mark(token)).toCompletableFuture().join();
    }

    private static Mark mark(long token) {
        return new Mark(new FencingToken(token), MarkOwner.ofOperator("me"));
    }
}
