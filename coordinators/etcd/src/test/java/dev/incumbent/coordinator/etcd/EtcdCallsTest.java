package dev.incumbent.coordinator.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.etcd.EtcdAddress;
import dev.incumbent.etcd.EtcdClient;
import dev.incumbent.etcd.EtcdException;
import dev.incumbent.etcd.EtcdException.Kind;
import dev.incumbent.etcd.Txn;
import dev.incumbent.etcd.TxnReply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of calls to etcd that are refused, broken off, or left behind. */
class EtcdCallsTest {
    private static final String TXN = "/v3/kv/txn";
    private static final String REVOKE = "/v3/lease/revoke";
    private static final String DONE = "{\"header\":{\"revision\":\"9\"},\"succeeded\":true}";
    private static final String REFUSED = "{\"error\":\"too many\",\"code\":8,\"message\":\"too many requests\"}";
    private static final String IN_TROUBLE = "{\"error\":\"lost\",\"code\":14,\"message\":\"leader changed\"}";

    private final ScriptedGateway gateway = new ScriptedGateway();
    private EtcdClient client = client(Duration.ofSeconds(20));

    private EtcdClient client(Duration bound) {
        return new EtcdClient(EtcdAddress.parse("etcd://127.0.0.1:" + gateway.port() + "/app", Map.of()), bound);
    }

    @AfterEach
    void close() {
        client.close();
        gateway.close();
    }

    @Test
    void transactionsThatAreRefusedTogetherGoOneByOne() throws InterruptedException {
        occupy();
        CompletableFuture<TxnReply> second = client.txn(write("second"));
        CompletableFuture<TxnReply> third = client.txn(write("third"));

        gateway.answers(List.of(DONE, REFUSED, DONE, REFUSED));

        assertThat(second.join().succeeded()).isTrue();
        assertThat(failure(third)).hasMessageContaining("too many requests");
        assertThat(failure(third).kind()).isEqualTo(Kind.NOT_APPLIED);
        assertThat(gateway.asked()).containsExactly(TXN, TXN, TXN);
    }

    /** The third was taken back before the second went on its own, and never sent again. */
    @Test
    void whatWasNotSentAgainAfterARefusalHasNotApplied() throws InterruptedException {
        occupy();
        CompletableFuture<TxnReply> second = client.txn(write("second"));
        CompletableFuture<TxnReply> third = client.txn(write("third"));

        gateway.answers(List.of(DONE, REFUSED, ScriptedGateway.END));

        assertThat(failure(second).kind()).isEqualTo(Kind.UNCERTAIN);
        assertThat(failure(second)).hasMessageContaining("broke: ").hasMessageEndingWith(" (a transaction)");
        assertThat(failure(third).kind()).isEqualTo(Kind.NOT_APPLIED);
    }

    @Test
    void nothingIsUncertainOfWhatWritesNothing() {
        gateway.answers(List.of(IN_TROUBLE));

        EtcdException told = failure(client.txn(new Txn().get("k")));

        assertThat(told).hasMessageContaining("leader changed");
        assertThat(told.kind()).isEqualTo(Kind.NOT_APPLIED);
    }

    @Test
    void aCloseEndsWhatIsUnderWayWithItsConnection() throws InterruptedException {
        gateway.answers(List.of(ScriptedGateway.SILENCE));
        CompletableFuture<Boolean> sent = client.revoke(7);
        gateway.awaitAsked(REVOKE);
        CompletableFuture<Boolean> waits = client.revoke(8);

        client.close();

        assertThat(failure(sent).kind()).isEqualTo(Kind.UNCERTAIN);
        assertThat(failure(sent)).hasMessageEndingWith("/app was closed meanwhile (the revoking of a lease)");
        assertThat(failure(waits).kind()).isEqualTo(Kind.NOT_APPLIED);
        assertThat(failure(client.revoke(9))).hasMessageEndingWith("/app is closed (the revoking of a lease)");
        gateway.awaitAsked(ScriptedGateway.LEFT);
    }

    @Test
    void aCallThatIsLateTakesItsConnectionWithIt() throws InterruptedException {
        client = client(Duration.ofSeconds(3));
        gateway.answers(List.of(ScriptedGateway.SILENCE));

        EtcdException told = failure(client.revoke(7));

        assertThat(told).hasMessageEndingWith("/app did not answer in time (the revoking of a lease)");
        assertThat(told.kind()).isEqualTo(Kind.UNCERTAIN);
        gateway.awaitAsked(REVOKE);
        gateway.awaitAsked(ScriptedGateway.LEFT);
    }

    @Test
    void nothingIsAskedOverAConnectionThatToldWhatIsNotUnderstood() {
        gateway.answers(List.of("no JSON", "{}"));

        EtcdException told = failure(client.revoke(7));

        assertThat(told).hasMessageContaining("broke: ");
        assertThat(told.kind()).isEqualTo(Kind.UNCERTAIN);
        assertThat(client.revoke(8).join()).isTrue();
        assertThat(gateway.connections()).isEqualTo(2);
    }

    @Test
    void aHundredTransactionsAtMostAreSentTogether() throws InterruptedException {
        occupy();
        List<CompletableFuture<TxnReply>> waiting = new ArrayList<>();
        for (int i = 0; i < 150; i++) {
            waiting.add(client.txn(write("k" + i)));
        }

        gateway.answers(List.of(DONE, together(100), together(50)));

        waiting.forEach(one -> assertThat(one.join().succeeded()).isTrue());
        assertThat(gateway.asked()).containsExactly(TXN, TXN);
    }

    private static String together(int count) {
        String each = "{\"response_txn\":{\"succeeded\":true}}";
        return "{\"header\":{\"revision\":\"9\"},\"succeeded\":true,\"responses\":["
                + String.join(",", Collections.nCopies(count, each)) + "]}";
    }

    @Test
    void whereAMemberFailsTheNextOneIsAskedAndKept() {
        try (ScriptedGateway other = new ScriptedGateway();
                EtcdClient both = new EtcdClient(
                        EtcdAddress.parse(
                                "etcd://127.0.0.1:" + gateway.port() + ",127.0.0.1:" + other.port() + "/app", Map.of()),
                        Duration.ofSeconds(20))) {
            gateway.answers(List.of("{}", ScriptedGateway.END));
            other.answers(List.of("{}", "{}"));

            assertThat(both.revoke(7).join()).isTrue();
            assertThat(failure(both.revoke(8)).kind()).isEqualTo(Kind.UNCERTAIN);
            assertThat(both.revoke(9).join()).isTrue();
            assertThat(both.revoke(10).join()).isTrue();

            assertThat(gateway.asked()).containsExactly(REVOKE, REVOKE);
            assertThat(other.asked()).containsExactly(REVOKE, REVOKE);
        }
    }

    /** A transaction is under way, and so the next ones wait, to be sent together. */
    private void occupy() throws InterruptedException {
        assertThat(client.txn(write("first"))).isNotDone();
        gateway.awaitAsked(TXN);
    }

    private static Txn write(String key) {
        return new Txn().put(key, "v");
    }

    private static EtcdException failure(CompletableFuture<?> call) {
        return call.handle((value, failure) -> {
                    assertThat(failure).as("answered: " + value).isInstanceOf(EtcdException.class);
                    return (EtcdException) failure;
                })
                .join();
    }
}
