package dev.incumbent.fence.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.fence.NoTransactionException;
import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.servers.EtcdServer;
import dev.incumbent.servers.FreePorts;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is particular to the sink in etcd, on a server of its own. */
class EtcdSinkTest {
    private static final Duration BOUND = Duration.ofSeconds(5);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final ElectionName BILLING = new ElectionName("billing/closer");

    private final EtcdSinkProvider provider = new EtcdSinkProvider();
    private EtcdServer server;

    @BeforeEach
    void start() {
        server = EtcdServer.start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void aCommitThatARaiseHasOvertakenWritesNothing() throws Exception {
        provider.install(server.uri("app"));
        raise(7);
        try (EtcdFence fence = EtcdFence.at(server.uri("app"), BOUND)) {
            EtcdTransaction overtaken = fence.begin();
            overtaken.admit(BILLING, new FencingToken(7));
            overtaken.put("/ledger/1", "late");

            raise(8);

            assertThatThrownBy(overtaken::commit)
                    .isInstanceOf(StaleTokenException.class)
                    .hasMessageContaining("stale token 7 of billing/closer: the mark is 8");
            assertThat(server.etcdctl("get", "/ledger/1")).isEmpty();
        }
    }

    /** A mark is two keys, and etcd refuses a transaction of more than 128 operations. */
    @Test
    void howeverManyElectionsAreAskedForTheirMarksAreTold() throws Exception {
        provider.install(server.uri("app"));
        raise(7);
        try (Sink sink = provider.open(server.uri("app"), PATIENCE)) {
            Set<ElectionName> asked = new HashSet<>(Set.of(BILLING));
            for (int i = 2; i <= 70; i++) {
                asked.add(new ElectionName("other/" + i));

                assertThat(sink.marks(asked).toCompletableFuture().get().marks())
                        .as("marks of %d elections", i)
                        .containsOnlyKeys(BILLING);
            }
        }
    }

    @Test
    void aTransactionThatNobodyAdmittedIsRefused() {
        try (EtcdFence fence = EtcdFence.at(server.uri("app"), BOUND)) {
            EtcdTransaction forgetful = fence.begin().put("/ledger/1", "unfenced");

            assertThatThrownBy(forgetful::commit).isInstanceOf(NoTransactionException.class);
        }
    }

    @Test
    void aMarkOutlivesTheServersDeath() throws Exception {
        provider.install(server.uri("app"));
        raise(7);

        server.kill();
        server.startAgain();

        try (Sink sink = provider.open(server.uri("app"), BOUND)) {
            assertThat(sink.marks().toCompletableFuture().get().marks()).isEqualTo(Map.of(BILLING, mark(7)));
        }
    }

    @Test
    void whoWritesWithEtcdctlComparesOneKey() throws Exception {
        provider.install(server.uri("app"));
        raise(7);
        String key = EtcdFence.markKey("app", BILLING);
        String mark = EtcdFence.markValue(new FencingToken(7));

        assertThat(server.etcdctl("get", key, "--print-value-only").strip()).isEqualTo(mark);
        assertThat(key).isEqualTo("/app/f/billing/closer");
        assertThat(mark).isEqualTo("0000000000000000007");
    }

    @Test
    void aSinkThatIsNotInstalledSaysHowToInstallIt() {
        try (Sink sink = provider.open(server.uri("never"), BOUND)) {
            assertThatThrownBy(() -> sink.marks().toCompletableFuture().get())
                    .hasCauseInstanceOf(SinkException.class)
                    .hasMessageContaining("is not installed as a sink: incumbent fence install --sink URL");
        }
    }

    @Test
    void aWrongPortIsToldInOneSentence() {
        int nobody = FreePorts.one();

        assertThatThrownBy(() -> provider.install("etcd://ada:secret@127.0.0.1:" + nobody + "/app"))
                .isInstanceOf(SinkException.class)
                .hasMessage("etcd at etcd://127.0.0.1:" + nobody + "/app cannot be reached: 127.0.0.1:" + nobody
                        + " refuses connections");
    }

    private void raise(long token) throws Exception {
        try (Sink sink = provider.open(server.uri("app"), BOUND)) {
            Raise raise = sink.raise(BILLING, mark(token)).toCompletableFuture().get();
            assertThat(raise).isEqualTo(new Raise.Raised(mark(token)));
        }
    }

    private static Mark mark(long token) {
        return new Mark(new FencingToken(token), MarkOwner.ofCandidate(new CandidateId("ada@host-1-" + token)));
    }
}
