package dev.incumbent.coordinator.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.Candidacy;
import dev.incumbent.Elections;
import dev.incumbent.Leadership;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.fence.memory.MemorySink;
import dev.incumbent.fence.memory.MemoryStore;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.SinkId;
import dev.incumbent.model.Timing;
import dev.incumbent.servers.RedisServer;
import dev.incumbent.servers.TcpProxy;
import dev.incumbent.time.SystemTimeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What best effort means: a failover to a replica that lags forgets a term. And what it does not touch: a sink behind a fence elsewhere. */
@Tag("realtime")
class LossTest {
    private static final ElectionName CLOSER = new ElectionName("billing/closer");
    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final Duration PATIENCE = Duration.ofSeconds(12);

    private final SystemTimeline time = new SystemTimeline();
    private final List<AutoCloseable> open = new ArrayList<>();
    private RedisServer master;
    private RedisServer replica;
    private TcpProxy replication;

    @BeforeEach
    void replicate() {
        master = opened(RedisServer.start());
        replication = opened(TcpProxy.to(master.port()));
        replica = opened(RedisServer.start("--replicaof", "127.0.0.1 " + replication.port()));
        master.ask("SET", "first", "1");
        await("the replication", () -> replica.ask("GET", "first").endsWith("1"));
    }

    @AfterEach
    void close() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
        time.close();
    }

    @Test
    void aFailoverToAReplicaThatLagsLetsTwoLeadOneTerm() {
        replication.cut(TcpProxy.Fault.SILENT);
        Leadership ada = leadership(candidacy("ada", master, Optional.empty()));

        failOver();
        Leadership bob = leadership(candidacy("bob", replica, Optional.empty()));

        assertThat(bob.term().number()).isEqualTo(ada.term().number());
        assertThat(bob.term().leader()).isNotEqualTo(ada.term().leader());
        assertThat(List.of(ada.holds(), bob.holds())).containsExactly(true, true);
    }

    @Test
    void aFencedSinkElsewhereSurvivesIt() throws Exception {
        MemoryStore ledger = new MemoryStore(new SinkId("ledger"));
        replication.cut(TcpProxy.Fault.SILENT);
        Leadership ada = leadership(candidacy("ada", master, Optional.of(ledger)));
        ledger.write(CLOSER, ada.token(), "of ada");

        failOver();
        Leadership bob = leadership(candidacy("bob", replica, Optional.of(ledger)));
        assertThat(ada.holds()).isTrue();

        assertThat(bob.token()).isGreaterThan(ada.token());
        assertThatThrownBy(() -> ledger.write(CLOSER, ada.token(), "of ada, late"))
                .isInstanceOf(StaleTokenException.class);
        ledger.write(CLOSER, bob.token(), "of bob");
        assertThat(ledger.written()).extracting(MemoryStore.Written::text).containsExactly("of ada", "of bob");
    }

    @Test
    void aReplicaAnswersNobody() {
        var client =
                opened(new RedisCoordinatorProvider().open(replica.uri(), time, Duration.ofSeconds(2), Mode.CREATE));

        assertThatThrownBy(() -> client.elections("").toCompletableFuture().join())
                .hasMessageContaining("is a replica of 127.0.0.1:" + replication.port());
        assertThatThrownBy(() -> client.revoke(new dev.incumbent.model.LeaseId("any"))
                        .toCompletableFuture()
                        .join())
                .hasMessageContaining("is a replica of");
    }

    @Test
    void aMasterThatBecomesAReplicaAnswersNoReadUnderItsOldConnections() {
        var client =
                opened(new RedisCoordinatorProvider().open(master.uri(), time, Duration.ofSeconds(2), Mode.CREATE));
        assertThat(client.elections("").toCompletableFuture().join()).isEmpty();

        master.ask("REPLICAOF", "127.0.0.1", "1");

        assertThatThrownBy(() -> client.elections("").toCompletableFuture().join())
                .hasMessageContaining("has become a replica: only a master answers");
    }

    /** The replica takes over what it knows. */
    private void failOver() {
        master.process().kill();
        assertThat(replica.ask("REPLICAOF", "NO", "ONE")).startsWith("+OK");
    }

    private Candidacy candidacy(String name, RedisServer at, Optional<MemoryStore> ledger) {
        Elections elections = opened(Elections.over(
                        opened(new RedisCoordinatorProvider().open(at.uri(), time, Duration.ofSeconds(1), Mode.CREATE)))
                .name(name)
                .timing(Timing.ofLease(LEASE))
                .open());
        var election = elections.election(CLOSER.value());
        if (ledger.isPresent()) {
            election = election.guarding(opened(new MemorySink(ledger.get(), time, Duration.ofSeconds(2))));
        }
        return opened(election.campaign(leadership -> new CountDownLatch(1).await()));
    }

    private Leadership leadership(Candidacy candidacy) {
        await(
                "a leadership: " + candidacy.health(),
                () -> candidacy.leadership().isPresent());
        return candidacy.leadership().orElseThrow();
    }

    private void await(String what, BooleanSupplier holds) {
        long end = time.nanos() + PATIENCE.toNanos();
        while (!holds.getAsBoolean()) {
            assertThat(time.nanos() - end).as(what).isNegative();
            LockSupport.parkNanos(5_000_000);
        }
    }

    private <T extends AutoCloseable> T opened(T one) {
        open.add(one);
        return one;
    }
}
