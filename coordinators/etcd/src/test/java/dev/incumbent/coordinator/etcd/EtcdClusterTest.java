package dev.incumbent.coordinator.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.GrantedLease;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import dev.incumbent.servers.EtcdCluster;
import dev.incumbent.servers.EtcdServer;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What three members, and a single one's own troubles, mean to one client. */
@Tag("realtime")
class EtcdClusterTest {
    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @Test
    void aMemberOrTheLeaderLostCostsNeitherTheLeaseNorTheWatch() {
        try (EtcdCluster cluster = EtcdCluster.start(3);
                Clients clients = new Clients()) {
            Coordinator client = clients.open(cluster.uri("app"));
            assertThat(Clients.get(client.memberCount())).hasValue(3);
            ElectionName election = new ElectionName("billing/closer");
            var lease = Clients.grant(client, LEASE);
            Revision first = Clients.swapped(client, election, Revision.ABSENT, Clients.claim(1, lease.id()));
            Heard heard = new Heard();
            client.watch(election, heard);

            EtcdServer leader = cluster.leader();
            leader.freeze();
            assertThat(clients.within(PATIENCE, () -> Clients.get(client.keepAlive(lease.id())) == null))
                    .isTrue();
            leader.thaw();
            cluster.awaitLeader();
            cluster.leader().kill();
            assertThat(clients.within(PATIENCE, () -> Clients.get(client.keepAlive(lease.id())) == null))
                    .isTrue();

            AtomicReference<Revision> second = new AtomicReference<>(Revision.ABSENT);
            assertThat(clients.within(PATIENCE, () -> {
                        second.set(Clients.swapped(client, election, first, Clients.claim(2, lease.id())));
                        return true;
                    }))
                    .isTrue();
            assertThat(clients.within(PATIENCE, () -> heard.last().record().term() == 2))
                    .isTrue();
            assertThat(heard.last().leaseAlive()).isTrue();
        }
    }

    @Test
    void aLearnerIsNoneOfThoseThatVote() {
        try (EtcdServer server = EtcdServer.start();
                Clients clients = new Clients()) {
            Coordinator client = clients.open(server.uri("app"));
            String added = server.etcdctl("member", "add", "pupil", "--learner", "--peer-urls=http://127.0.0.1:1");
            assertThat(added).contains("added to cluster");

            assertThat(clients.within(
                            PATIENCE, () -> Clients.get(client.memberCount()).equals(OptionalInt.of(1))))
                    .isTrue();
        }
    }

    /** A member makes no lease shorter than one and a half times its election timeout. */
    @Test
    void aLeaseIsToldInWholeSecondsAndNoLongerThanItWasAskedFor() {
        try (EtcdServer usual = EtcdServer.start();
                EtcdServer slow = EtcdServer.start("--election-timeout", "4000", "--heartbeat-interval", "400");
                Clients clients = new Clients()) {
            Coordinator client = clients.open(usual.uri("app"));

            assertThat(Clients.grant(client, Duration.ofMillis(1)).timeToLive()).isEqualTo(Duration.ofSeconds(2));
            assertThat(Clients.grant(client, Duration.ofMillis(2_001)).timeToLive())
                    .isEqualTo(Duration.ofSeconds(3));
            assertThat(slow.etcdctl("lease", "grant", "2")).contains("granted with TTL(6s)");
            assertThat(Clients.grant(clients.open(slow.uri("app")), Duration.ofSeconds(2))
                            .timeToLive())
                    .isEqualTo(Duration.ofSeconds(2));
        }
    }

    /** Each member keeps a table of leases, and each by its own election timeout; the leader's counts. */
    @Test
    void aMemberThatMakesALeaseLongerThanTheLeaderDoesIsNotBelieved() {
        try (EtcdCluster cluster = EtcdCluster.start(3);
                Clients clients = new Clients()) {
            String leader = cluster.leader().hostPort();
            int slow = cluster.members().get(0).hostPort().equals(leader) ? 1 : 0;
            cluster.startAgainWith(
                    cluster.members().get(slow), "--election-timeout", "5000", "--heartbeat-interval", "100");
            EtcdServer asked = cluster.members().get(slow);
            assertThat(asked.etcdctl("lease", "grant", "3")).contains("granted with TTL(8s)");

            GrantedLease lease =
                    Clients.grant(clients.open("etcd://" + asked.hostPort() + "/app"), Duration.ofSeconds(3));

            assertThat(cluster.leader()
                            .etcdctl("lease", "timetolive", lease.id().value()))
                    .contains("granted with TTL(3s)");
            assertThat(lease.timeToLive()).isEqualTo(Duration.ofSeconds(3));
        }
    }

    @Test
    void aFullQuotaKeepsLeasesAndRefusesSwapsAndNewLeasesAsNotApplied() {
        try (EtcdRig rig = EtcdRig.alone(FullDisk.SMALL_QUOTA)) {
            Coordinator client = rig.connect();
            ElectionName election = new ElectionName("billing/closer");
            var lease = Clients.grant(client, LEASE);
            Revision first = Clients.swapped(client, election, Revision.ABSENT, Clients.claim(1, lease.id()));

            FullDisk.fill(rig.server());

            Clients.get(client.keepAlive(lease.id()));
            assertFull(() -> Clients.swapped(client, election, first, Clients.claim(2, lease.id())));
            assertFull(() -> Clients.grant(client, LEASE));
            FullDisk.empty(rig.server());
            assertThat(Clients.swapped(client, election, first, Clients.claim(2, lease.id())))
                    .isNotEqualTo(Revision.ABSENT);
        }
    }

    private static void assertFull(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        CoordinatorException.class,
                        full -> assertThat(full.mayHaveApplied()).isFalse())
                .hasMessageContaining("database space exceeded");
    }

    @Test
    void aWatchOutlivesACompactionThatItMissed() {
        try (EtcdRig rig = EtcdRig.alone()) {
            Coordinator one = rig.connect();
            Coordinator other = rig.connect();
            ElectionName election = new ElectionName("billing/closer");
            Heard heard = new Heard();
            other.watch(election, heard);
            var lease = Clients.grant(one, LEASE);
            Revision revision = Clients.swapped(one, election, Revision.ABSENT, Clients.claim(1, lease.id()));

            rig.cut(other, dev.incumbent.coordinator.tck.Cut.REFUSED);
            for (int term = 2; term <= 5; term++) {
                revision = Clients.swapped(one, election, revision, Clients.claim(term, lease.id()));
            }
            String status = rig.server().etcdctl("endpoint", "status", "-w", "json");
            rig.server().etcdctl("compact", status.replaceAll("(?s).*\"revision\":([0-9]+).*", "$1"));
            rig.heal(other);

            try (Clients clients = new Clients()) {
                assertThat(clients.within(PATIENCE, () -> heard.last().record().term() == 5))
                        .isTrue();
                Clients.swapped(one, election, revision, Clients.claim(6, lease.id()));
                assertThat(clients.within(PATIENCE, () -> heard.last().record().term() == 6))
                        .isTrue();
            }
        }
    }

    /** Keeps what was told last. */
    private static final class Heard implements Watcher {
        private final AtomicReference<ObservedRecord> last = new AtomicReference<>(ObservedRecord.ABSENT);

        @Override
        public void changed(ObservedRecord record) {
            last.set(record);
        }

        @Override
        public void gap() {
            // what was missed is told next
        }

        @Override
        public void currentAsOf(long sentAtNanos) {
            // no question here
        }

        ObservedRecord last() {
            ObservedRecord now = last.get();
            return now == null ? ObservedRecord.ABSENT : now;
        }
    }
}
