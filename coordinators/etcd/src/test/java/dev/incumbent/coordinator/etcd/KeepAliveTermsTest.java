package dev.incumbent.coordinator.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.etcd.EtcdAddress;
import dev.incumbent.etcd.EtcdClient;
import dev.incumbent.etcd.EtcdException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A lease counts as kept only if a linearizable read after the keep-alive shows its raft term: an etcd leader that was replaced still answers as if it led. */
class KeepAliveTermsTest {
    private static final String LOOK = "/v3/kv/txn";
    private static final String KEEP = "/v3/lease/keepalive";
    private static final int TERM = 3;
    private static final int LEFT = 5;

    private final ScriptedGateway gateway = new ScriptedGateway();
    private final EtcdClient client = new EtcdClient(
            EtcdAddress.parse("etcd://127.0.0.1:" + gateway.port() + "/app", Map.of()), Duration.ofSeconds(20));

    @AfterEach
    void close() {
        client.close();
        gateway.close();
    }

    @Test
    void aKeepAliveAndTheReadAfterItOfOneTermKeepTheLease() {
        gateway.answers(List.of(kept(TERM, LEFT), found(TERM)));

        assertThat(keepAlive().join()).isTrue();
        assertThat(gateway.asked()).containsExactly(KEEP, LOOK);
    }

    @ParameterizedTest
    @CsvSource({"3, 4", "4, 3", "0, 0"})
    void aKeepAliveAcrossTwoTermsIsUncertain(int during, int after) {
        gateway.answers(List.of(kept(during, LEFT), found(after)));

        assertUncertain(keepAlive());
    }

    @Test
    void anElectionOfEtcdBetweenTwoKeepAlivesCostsNone() {
        gateway.answers(List.of(kept(TERM, LEFT), found(TERM), kept(TERM + 1, LEFT), found(TERM + 1)));
        assertThat(keepAlive().join()).isTrue();

        assertThat(keepAlive().join()).isTrue();
        assertThat(gateway.connections()).isEqualTo(1);
    }

    @Test
    void anElectionOfEtcdDuringAKeepAliveCostsNoConnection() {
        gateway.answers(List.of(kept(TERM, LEFT), found(TERM + 1), kept(TERM + 1, LEFT), found(TERM + 1)));
        assertUncertain(keepAlive());

        assertThat(keepAlive().join()).isTrue();
        assertThat(gateway.asked()).containsExactly(KEEP, LOOK, KEEP, LOOK);
        assertThat(gateway.connections()).isEqualTo(1);
    }

    @Test
    void aLeaseWhoseKeyIsGoneIsDead() {
        gateway.answers(List.of(kept(TERM, LEFT), gone(TERM)));

        assertThat(keepAlive().join()).isFalse();
    }

    /** A replaced leader knows nothing of a lease that its successor may have granted. */
    @Test
    void aLeaseThatTheLeaderDoesNotKnowAndWhoseKeyIsThereIsUncertain() {
        gateway.answers(List.of(kept(TERM, 0), found(TERM)));

        assertUncertain(keepAlive());
    }

    private CompletableFuture<Boolean> keepAlive() {
        return client.keepAlive(7, "/app/l/7");
    }

    private static void assertUncertain(CompletableFuture<Boolean> keepAlive) {
        EtcdException told = keepAlive
                .handle((kept, failure) -> {
                    assertThat(failure).as("kept: " + kept).isInstanceOf(EtcdException.class);
                    return (EtcdException) failure;
                })
                .join();
        assertThat(told.kind()).isEqualTo(EtcdException.Kind.LEADER_CHANGED);
        assertThat(Failures.of(told).mayHaveApplied()).isTrue();
        assertThat(told).hasMessageContaining("changed its leader during a keep-alive");
    }

    private static String found(int term) {
        return looked(term, "\"kvs\":[{\"key\":\"YQ==\",\"value\":\"YQ==\",\"mod_revision\":\"9\"}],\"count\":\"1\"");
    }

    private static String gone(int term) {
        return looked(term, "");
    }

    private static String looked(int term, String what) {
        return "{\"header\":" + header(term) + ",\"succeeded\":true,\"responses\":[{\"response_range\":{" + what
                + "}}]}";
    }

    private static String kept(int term, int left) {
        return "{\"result\":{\"header\":" + header(term) + ",\"ID\":\"7\",\"TTL\":\"" + left + "\"}}";
    }

    private static String header(int term) {
        return "{\"revision\":\"9\",\"raft_term\":\"" + term + "\"}";
    }
}
