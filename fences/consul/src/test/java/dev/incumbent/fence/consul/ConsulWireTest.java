package dev.incumbent.fence.consul;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.servers.ConsulServer;
import dev.incumbent.servers.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Raises that meet each other, and answers of Consul that are lost. */
@Timeout(60)
final class ConsulWireTest {
    private static final Duration BOUND = Duration.ofSeconds(20);
    private static final ElectionName BILLING = new ElectionName("billing/closer");
    private static ConsulServer server;

    private final String prefix = "sink-" + UUID.randomUUID();
    private final ConsulSinkProvider provider = new ConsulSinkProvider();

    @BeforeAll
    static void start() {
        server = ConsulServer.start(ConsulServer.Access.OPEN);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void install() {
        provider.install(url(server.port()));
    }

    @Test
    void ofTwoOwnersWhoRaiseToOneTokenAtOnceOneAloneIsToldSo() throws Exception {
        try (Sink ada = provider.open(url(server.port()), BOUND);
                Sink bob = provider.open(url(server.port()), BOUND)) {
            for (long token = 1; token <= 60; token++) {
                CompletionStage<Raise> first = ada.raise(BILLING, mark(token, "ada@host"));
                CompletionStage<Raise> second = bob.raise(BILLING, mark(token, "bob@host"));

                List<Raise> answers = List.of(answer(first), answer(second));

                assertThat(answers).filteredOn(Raise.Raised.class::isInstance).hasSize(1);
                assertThat(answers).filteredOn(Raise.Refused.class::isInstance).hasSize(1);
            }
        }
        assertThat(server.consul("kv", "get", "-keys", prefix + "/f/billing/").lines())
                .containsExactlyInAnyOrder(prefix + "/f/billing/closer:mark", prefix + "/f/billing/closer:token:60");
    }

    @Test
    @Tag("realtime")
    void aCommitWhoseAnswerIsLostMayHaveWritten() throws Exception {
        raise();
        try (TcpProxy wire = TcpProxy.to(server.port());
                ConsulFence fence = ConsulFence.at(url(wire.port()), BOUND)) {
            FencedWrite write = ofTerm7(fence);
            wire.loseNextAnswer();

            assertThatThrownBy(write::commit).isInstanceOf(SinkException.class);

            assertThat(written()).isEqualTo("paid");
        }
    }

    @Test
    @Tag("realtime")
    void aCommitThatNobodyAnswersEndsWithinItsBound() throws Exception {
        raise();
        try (TcpProxy wire = TcpProxy.to(server.port());
                ConsulFence fence = ConsulFence.at(url(wire.port()), Duration.ofMillis(500))) {
            FencedWrite write = ofTerm7(fence);
            wire.cut(TcpProxy.Fault.SILENT);

            assertThatThrownBy(write::commit).isInstanceOf(SinkException.class);
        }
    }

    private FencedWrite ofTerm7(ConsulFence fence) throws Exception {
        FencedWrite write = fence.begin();
        write.admit(BILLING, new FencingToken(7));
        return write.set(prefix + "/ledger", "paid".getBytes(UTF_8));
    }

    private String written() {
        return server.consul("kv", "get", prefix + "/ledger").strip();
    }

    private void raise() throws Exception {
        try (Sink sink = provider.open(url(server.port()), BOUND)) {
            assertThat(answer(sink.raise(BILLING, mark(7, "me")))).isInstanceOf(Raise.Raised.class);
        }
    }

    private String url(int port) {
        return "consul://127.0.0.1:" + port + "/" + prefix;
    }

    private static Mark mark(long token, String owner) {
        return new Mark(new FencingToken(token), MarkOwner.ofOperator(owner));
    }

    private static <T> T answer(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(30, SECONDS);
    }
}
