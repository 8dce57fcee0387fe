package dev.incumbent.coordinator.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.GrantedLease;
import dev.incumbent.servers.TcpProxy;
import dev.incumbent.time.SystemTimeline;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A keep-alive counts only over a connection that was begun for it, since only a resumption reaches the ensemble's leader for sure: decision 0610. */
@Tag("realtime")
final class ResumptionTest {
    private static final Duration LEASE = Duration.ofSeconds(10);

    private final SystemTimeline timeline = new SystemTimeline();
    private final TcpProxy wire = TcpProxy.to(Servers.shared().port());
    private final Coordinator holder = new ZooKeeperCoordinatorProvider()
            .open("zk://127.0.0.1:" + wire.port() + "/resumption-" + UUID.randomUUID(), timeline, LEASE, Mode.CREATE);

    @AfterEach
    void close() {
        holder.close();
        wire.close();
        timeline.close();
    }

    @Test
    void everyKeepAliveResumesItsSessionOverANewConnection() {
        GrantedLease lease = Asking.granted(holder, LEASE);
        int before = wire.accepted();

        Asking.get(holder.keepAlive(lease.id()));
        Asking.get(holder.keepAlive(lease.id()));

        assertThat(wire.accepted()).isEqualTo(before + 2);
    }

    @Test
    void keepAlivesAtOnceHaveAConnectionEachAndAreAllAnswered() {
        GrantedLease lease = Asking.granted(holder, LEASE);
        int before = wire.accepted();

        CompletionStage<Void> first = holder.keepAlive(lease.id());
        CompletionStage<Void> second = holder.keepAlive(lease.id());
        CompletionStage<Void> third = holder.keepAlive(lease.id());
        Asking.get(first);
        Asking.get(second);
        Asking.get(third);

        assertThat(wire.accepted()).isEqualTo(before + 3);
    }
}
