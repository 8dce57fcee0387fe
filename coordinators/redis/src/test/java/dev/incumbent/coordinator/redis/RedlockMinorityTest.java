package dev.incumbent.coordinator.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.Candidacy;
import dev.incumbent.Elections;
import dev.incumbent.Leadership;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Timing;
import dev.incumbent.servers.RedisServer;
import dev.incumbent.servers.TcpProxy;
import dev.incumbent.servers.Waiting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One of three masters in trouble, under candidacies: a leader goes on, and if it resigns, another one leads. */
@Tag("realtime")
class RedlockMinorityTest {
    private static final ElectionName ELECTION = new ElectionName("nightly/report");

    private final RedisAdverseRig rig = new RedisAdverseRig(RedisServer.startMasters(3));
    private final List<Coordinator> coordinators = new ArrayList<>();
    private final List<Elections> processes = new ArrayList<>();
    private final Candidacy ada = candidacy("ada");

    @AfterEach
    void close() {
        processes.forEach(Elections::close);
        rig.close();
    }

    @Test
    void aFrozenMasterChangesNothing() {
        RedisServer one = rig.servers.get(0);

        assertThatNothingChanges(
                () -> one.process().freeze(), () -> one.process().thaw());
    }

    @Test
    void aKilledMasterChangesNothing() {
        RedisServer one = rig.servers.get(1);

        assertThatNothingChanges(() -> one.process().kill(), () -> one.process().startAgain());
    }

    @Test
    void aMasterThatIsCutOffFromAllClientsChangesNothing() {
        assertThatNothingChanges(
                () -> wiresTo(2).forEach(wire -> wire.cut(TcpProxy.Fault.SILENT)),
                () -> wiresTo(2).forEach(TcpProxy::heal));
    }

    /** For three leases a leader is watched, then it resigns, and another process takes over. */
    private void assertThatNothingChanges(Runnable trouble, Runnable end) {
        Waiting.until("a leader", () -> ada.leadership().isPresent());
        Leadership first = ada.leadership().orElseThrow();
        Candidacy bob = candidacy("bob");
        Waiting.until("both stand", () -> standing() == 2);

        trouble.run();
        long until = rig.timeline().nanos() + rig.lease().multipliedBy(3).toNanos();
        Waiting.until(
                "three leases, or the end of the term",
                () -> !first.holds() || rig.timeline().nanos() - until > 0);
        assertThat(first.holds()).isTrue();
        assertThat(bob.leadership()).isEmpty();
        ada.close();
        Waiting.until("another leader", () -> bob.leadership().isPresent());
        Leadership next = bob.leadership().orElseThrow();
        assertThat(next.token()).isGreaterThan(first.token());
        end.run();

        candidacy("cyd");
        Waiting.until("all stand again", () -> standing() == 2);
        assertThat(next.holds()).isTrue();
    }

    private List<TcpProxy> wiresTo(int server) {
        return coordinators.stream()
                .map(client -> rig.wires().of(client).get(server))
                .toList();
    }

    private int standing() {
        return Optional.ofNullable(coordinators
                        .get(coordinators.size() - 1)
                        .candidates(Set.of(ELECTION))
                        .toCompletableFuture()
                        .join()
                        .get(ELECTION))
                .orElseThrow()
                .size();
    }

    private Candidacy candidacy(String name) {
        Coordinator coordinator = rig.connect();
        coordinators.add(coordinator);
        Elections elections = Elections.over(coordinator)
                .name(name)
                .timing(new Timing(
                        rig.lease(),
                        rig.lease().dividedBy(3),
                        rig.requestTimeout(),
                        Duration.ofMillis(200),
                        Duration.ZERO,
                        Timing.DRIFT_BOUND,
                        Timing.MARGIN))
                .open();
        processes.add(elections);
        return elections.election(ELECTION.value()).campaign(leadership -> new CountDownLatch(1).await());
    }
}
