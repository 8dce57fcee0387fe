package dev.incumbent.coordinator.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.LeaseLostException;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import dev.incumbent.servers.EtcdServer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What people do to the keys with etcdctl. */
@Tag("realtime")
class ByHandTest {
    private static final ElectionName ELECTION = new ElectionName("billing/closer");

    @Test
    void aSwapWritesOverNoEditThatWasNotReadThoughItsNonceWasKept() {
        try (EtcdServer server = EtcdServer.start();
                Clients clients = new Clients()) {
            Coordinator client = clients.open(server.uri("app"));
            LeaseId lease = Clients.grant(client, Duration.ofMinutes(1)).id();
            Revision first = Clients.swapped(client, ELECTION, Revision.ABSENT, Clients.claim(1, lease));
            String key = "/app/e/" + ELECTION;
            String text = server.etcdctl("get", "--print-value-only", key).strip();

            server.etcdctl("put", key, text.replace("\"term\":1", "\"term\":5"));

            assertThat(Clients.swapped(client, ELECTION, first, Clients.claim(2, lease)))
                    .isEqualTo(Revision.ABSENT);
            assertThat(found(client).record().term()).isEqualTo(5);
        }
    }

    @Test
    void aLeaseWhoseKeyIsDeletedByHandEndsForEver() {
        try (EtcdServer server = EtcdServer.start();
                Clients clients = new Clients()) {
            Coordinator one = clients.open(server.uri("app"));
            Coordinator other = clients.open(server.uri("app"));
            LeaseId lease = Clients.grant(one, Duration.ofMinutes(1)).id();
            Clients.swapped(one, ELECTION, Revision.ABSENT, Clients.claim(1, lease));

            server.etcdctl("del", "/app/l/" + lease);

            assertThat(found(other).leaseAlive()).isFalse();
            for (Coordinator client : List.of(one, other)) {
                assertThatThrownBy(() -> Clients.get(client.keepAlive(lease))).isInstanceOf(LeaseLostException.class);
                assertThatThrownBy(() -> Clients.get(client.enlist(ELECTION, enlisted(lease))))
                        .isInstanceOf(LeaseLostException.class);
            }
            assertThat(found(other).leaseAlive()).isFalse();
        }
    }

    private static ObservedRecord found(Coordinator client) {
        Reading reading = Optional.ofNullable(
                        Clients.get(client.read(Set.of(ELECTION))).get(ELECTION))
                .orElseThrow();
        return ((Reading.Found) reading).record();
    }

    private static Enlisted enlisted(LeaseId lease) {
        return new Enlisted(new Candidate(Clients.ADA, "ada", ""), lease, Instant.EPOCH, Set.of(), Set.of());
    }
}
