package dev.incumbent.fence.etcd;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.etcd.EtcdClient;
import dev.incumbent.etcd.Txn;
import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.servers.EtcdServer;
import dev.incumbent.servers.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Raises that meet each other, answers of etcd that are lost, and answers that are no longer than they need to be. */
@Timeout(60)
class EtcdWireTest {
    private static final Duration BOUND = Duration.ofSeconds(20);
    private static final ElectionName BILLING = new ElectionName("billing/closer");

    private final EtcdSinkProvider provider = new EtcdSinkProvider();
    private final EtcdServer server = EtcdServer.start();

    @BeforeEach
    void install() {
        provider.install(server.uri("app"));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void ofTwoOwnersWhoRaiseToOneTokenAtOnceOneAloneIsToldSo() throws Exception {
        try (Sink ada = provider.open(server.uri("app"), BOUND);
                Sink bob = provider.open(server.uri("app"), BOUND)) {
            for (long token = 1; token <= 60; token++) {
                CompletionStage<Raise> first = ada.raise(BILLING, mark(token, "ada@host"));
                CompletionStage<Raise> second = bob.raise(BILLING, mark(token, "bob@host"));

                List<Raise> answers = List.of(answer(first), answer(second));

                assertThat(answers).filteredOn(Raise.Raised.class::isInstance).hasSize(1);
                assertThat(answers).filteredOn(Raise.Refused.class::isInstance).hasSize(1);
            }
        }
    }

    @Test
    @Tag("realtime")
    void aCommitWhoseAnswerIsLostMayHaveWrittenAndWritingOnceMoreIsHarmless() throws Exception {
        raise(7);
        try (TcpProxy wire = TcpProxy.to(server.port());
                EtcdFence fence = EtcdFence.at("etcd://127.0.0.1:" + wire.port() + "/app", BOUND)) {
            EtcdTransaction lost = ofTerm7(fence);
            wire.loseNextAnswer();

            assertThatThrownBy(lost::commit).isInstanceOf(SinkException.class);

            assertThat(server.etcdctl("get", "/ledger/1", "--print-value-only").strip())
                    .isEqualTo("paid");
            ofTerm7(fence).commit();
            try (Sink sink = provider.open(server.uri("app"), BOUND)) {
                assertThat(answer(sink.marks()).marks()).isEqualTo(Map.of(BILLING, mark(7, "me")));
            }
        }
    }

    /** Among five hundred: the marks of the others are not sent along. */
    @Test
    void theMarkOfOneElectionIsAShortAnswer() throws Exception {
        raise(7);
        try (EtcdClient client = EtcdSinkProvider.client(server.uri("app"), BOUND)) {
            for (int i = 0; i < 500; i += 50) {
                Txn fifty = new Txn();
                for (int j = i; j < i + 50; j++) {
                    fifty.put("/app/f/many/" + j, "0000000000000000007").put("/app/o/many/" + j, "operator:me");
                }
                client.txn(fifty).get(30, SECONDS);
            }
        }
        try (CountingGateway gateway = CountingGateway.to(server.hostPort());
                Sink sink = provider.open("etcd://" + gateway.hostPort() + "/app", BOUND)) {
            assertThat(answer(sink.marks(Set.of(BILLING))).marks()).isEqualTo(Map.of(BILLING, mark(7, "me")));
            long ofOne = gateway.answered();

            assertThat(answer(sink.marks()).marks()).hasSize(501);

            assertThat(ofOne).isLessThan(2_000);
            assertThat(gateway.answered()).isGreaterThan(50_000);
        }
    }

    private static EtcdTransaction ofTerm7(EtcdFence fence) throws Exception {
        EtcdTransaction transaction = fence.begin();
        transaction.admit(BILLING, new FencingToken(7));
        return transaction.put("/ledger/1", "paid");
    }

    private void raise(long token) throws Exception {
        try (Sink sink = provider.open(server.uri("app"), BOUND)) {
            assertThat(answer(sink.raise(BILLING, mark(token, "me")))).isInstanceOf(Raise.Raised.class);
        }
    }

    private static Mark mark(long token, String owner) {
        return new Mark(new FencingToken(token), MarkOwner.ofOperator(owner));
    }

    private static <T> T answer(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(30, SECONDS);
    }
}
