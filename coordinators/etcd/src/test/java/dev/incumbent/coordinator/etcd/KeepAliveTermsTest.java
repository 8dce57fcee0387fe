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

/** A lease counts as kept only between two linearizable reads of one raft term: an etcd leader that was replaced still answers keep-alives as if it led. */
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
    void aKeepAliveBetweenTwoReadsOfItsTermIsKept() {
        gateway.answers(List.of(found(TERM), kept(TERM, LEFT), found(TERM)));

        assertThat(keepAlive().join()).isTrue();
        assertThat(gateway.asked()).containsExactly(LOOK, KEEP, LOOK);
    }

    @ParameterizedTest
    @CsvSource({"2, 3, 3", "3, 2, 3", "3, 3, 4", "3, 4, 4", "2, 2, 3", "3, 4, 3"})
    void aKeepAliveAcrossTwoTermsIsUncertain(int before, int during, int after) {
        gateway.answers(List.of(found(before), kept(during, LEFT), found(after)));

        assertUncertain(keepAlive());
    }

    @ParameterizedTest
    @CsvSource({"2, 3", "3, 4", "4, 4", "4, 3"})
    void theNextOneCountsFromTheTermThatWasAnsweredBefore(int during, int after) {
        gateway.answers(List.of(found(TERM), kept(TERM, LEFT), found(TERM), kept(during, LEFT), found(after)));
        assertThat(keepAlive().join()).isTrue();

        assertUncertain(keepAlive());

        assertThat(gateway.asked()).containsExactly(LOOK, KEEP, LOOK, KEEP, LOOK);
    }

    @Test
    void theNextOneOfTheSameTermNeedsNoReadBefore() {
        gateway.answers(List.of(found(TERM), kept(TERM, LEFT), found(TERM), kept(TERM, LEFT), found(TERM)));
        assertThat(keepAlive().join()).isTrue();

        assertThat(keepAlive().join()).isTrue();
        assertThat(gateway.asked()).containsExactly(LOOK, KEEP, LOOK, KEEP, LOOK);
    }

    @Test
    void aLeaseWhoseKeyIsGoneIsDead() {
        gateway.answers(List.of(found(TERM), kept(TERM, LEFT), gone(TERM)));

        assertThat(keepAlive().join()).isFalse();
    }

    /** A replaced leader knows nothing of a lease that its successor may have granted. */
    @Test
    void aLeaseThatTheLeaderDoesNotKnowAndWhoseKeyIsThereIsUncertain() {
        gateway.answers(List.of(found(TERM), kept(TERM, 0), found(TERM)));

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
        assertThat(told.kind()).isEqualTo(EtcdException.Kind.UNCERTAIN);
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
