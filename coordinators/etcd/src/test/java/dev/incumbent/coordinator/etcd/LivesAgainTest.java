package dev.incumbent.coordinator.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import dev.incumbent.servers.EtcdCluster;
import dev.incumbent.servers.EtcdServer;
import dev.incumbent.servers.FreePorts;
import dev.incumbent.servers.TemporaryFolder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What seemed to have ended, and is back. */
@Tag("realtime")
class LivesAgainTest {
    private static final ElectionName ELECTION = new ElectionName("billing/closer");
    private static final Duration LEASE = Duration.ofSeconds(5);
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @Test
    void aLeaseOfASnapshotThatDiedSinceLivesAgainForItsWholeLength() {
        try (TemporaryFolder folder = TemporaryFolder.create("etcd-snapshot");
                EtcdServer server = EtcdServer.start();
                Clients clients = new Clients()) {
            Coordinator client = clients.open(server.uri("app"));
            LeaseId lease = Clients.grant(client, LEASE).id();
            Revision first = Clients.swapped(client, ELECTION, Revision.ABSENT, Clients.claim(1, lease));
            Path snapshot = folder.resolve("snapshot.db");
            server.etcdctl("snapshot", "save", snapshot.toString());
            assertThat(clients.within(PATIENCE, () -> !found(client).leaseAlive()))
                    .isTrue();

            List<Integer> ports = FreePorts.some(2);
            long before = clients.timeline().nanos();
            try (EtcdServer restored = EtcdServer.restored(snapshot, ports.get(0), ports.get(1))) {
                Coordinator other = clients.open(restored.uri("app"));

                assertThat(found(other).revision()).isEqualTo(first);
                assertThat(found(other).leaseAlive()).isTrue();
                assertThat(clients.within(PATIENCE, () -> !found(other).leaseAlive()))
                        .isTrue();
                assertThat(clients.timeline().nanos() - before).isGreaterThanOrEqualTo(LEASE.toNanos());
            }
        }
    }

    /** It is in the log of etcd's leader; one member more is a majority. */
    @Test
    void aSwapThatWasSentWithoutAMajorityMayBeAppliedWhenThereIsOneAgain() {
        try (EtcdCluster cluster = EtcdCluster.start(3);
                Clients clients = new Clients()) {
            EtcdServer leader = cluster.leader();
            List<EtcdServer> others = cluster.members().stream()
                    .filter(member -> member != leader)
                    .toList();
            Coordinator client = clients.open(leader.uri("app"));
            LeaseId lease = Clients.grant(client, Duration.ofMinutes(1)).id();
            Revision first = Clients.swapped(client, ELECTION, Revision.ABSENT, Clients.claim(1, lease));

            others.forEach(EtcdServer::freeze);
            assertThatThrownBy(() -> Clients.swapped(client, ELECTION, first, Clients.claim(2, lease)))
                    .isInstanceOfSatisfying(
                            CoordinatorException.class,
                            late -> assertThat(late.mayHaveApplied()).isTrue());
            assertThatThrownBy(() -> found(client)).isInstanceOf(CoordinatorException.class);
            others.get(0).thaw();

            assertThat(clients.within(PATIENCE, () -> found(client).record().term() == 2))
                    .isTrue();
            others.get(1).thaw();
        }
    }

    private static ObservedRecord found(Coordinator client) {
        Reading reading = Optional.ofNullable(
                        Clients.get(client.read(Set.of(ELECTION))).get(ELECTION))
                .orElseThrow();
        return ((Reading.Found) reading).record();
    }
}
