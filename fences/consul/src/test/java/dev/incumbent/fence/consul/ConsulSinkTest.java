package dev.incumbent.fence.consul;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.fence.NotAdmittedException;
import dev.incumbent.fence.NotRaisedException;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.servers.ConsulServer;
import dev.incumbent.servers.FreePorts;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a Consul with ACLs adds, what goes wrong in one sentence, and a writer with nothing but Consul's interface. */
final class ConsulSinkTest {
    private static final Duration BOUND = Duration.ofSeconds(3);
    private static final ElectionName BILLING = new ElectionName("billing/closer");
    private static ConsulServer server;

    private final String prefix = "sink-" + UUID.randomUUID();

    @BeforeAll
    static void start() {
        server = ConsulServer.start(ConsulServer.Access.TOKENS);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void whoeverMayReadNothingIsDeniedAndNotToldThatThereIsNoMark() throws Exception {
        install();
        try (Sink sink = open(ConsulServer.MASTER_TOKEN);
                Sink stranger = open(rules("key_prefix \"elsewhere/\" { policy = \"write\" }"))) {
            answer(sink.raise(BILLING, mark(7)));

            for (CompletionStage<?> call : List.of(stranger.id(), stranger.marks(), stranger.raise(BILLING, mark(8)))) {
                assertThatThrownBy(() -> answer(call))
                        .isInstanceOf(SinkException.class)
                        .hasMessageContaining(stranger.label())
                        .hasMessageContaining("Permission denied");
            }
        }
    }

    /** Consul refuses a transaction of more than 64 operations. */
    @Test
    void howeverManyElectionsAreAskedForTheirMarksAreTold() throws Exception {
        install();
        try (Sink sink = open(ConsulServer.MASTER_TOKEN)) {
            answer(sink.raise(BILLING, mark(7)));
            Set<ElectionName> asked = new HashSet<>(Set.of(BILLING));
            for (int i = 2; i <= 70; i++) {
                asked.add(new ElectionName("other/" + i));

                assertThat(answer(sink.marks(asked)).marks())
                        .as("marks of %d elections", i)
                        .containsOnlyKeys(BILLING);
            }
        }
    }

    @Test
    void whoMayNotWriteTheMarksCannotRaiseThem() throws Exception {
        install();
        try (Sink reader = open(rules("key_prefix \"" + prefix + "/\" { policy = \"read\" }"))) {
            assertThatThrownBy(() -> answer(reader.raise(BILLING, mark(8))))
                    .isInstanceOf(SinkException.class)
                    .hasMessageContaining("Permission denied");
            assertThat(answer(reader.marks()).marks()).isEmpty();
        }
    }

    /** The writer needs a right on its own keys alone: the condition is judged although it may not see it. */
    @Test
    void aWriterThatMayNotSeeTheMarkIsStillFenced() throws Exception {
        install();
        String token = rules("key_prefix \"ledger/\" { policy = \"write\" }");
        try (Sink sink = open(ConsulServer.MASTER_TOKEN);
                ConsulFence fence = ConsulFence.at(url(token), BOUND);
                ConsulFence seeing = ConsulFence.at(url(ConsulServer.MASTER_TOKEN), BOUND)) {
            answer(sink.raise(BILLING, mark(7)));
            write(fence, 7);
            answer(sink.raise(BILLING, mark(8)));

            assertThatThrownBy(() -> write(fence, 7)).isInstanceOf(NotAdmittedException.class);
            assertThatThrownBy(() -> write(seeing, 7)).isInstanceOf(StaleTokenException.class);
            assertThatThrownBy(() -> write(seeing, 9)).isInstanceOf(NotRaisedException.class);
        }
        assertThat(server.consul("kv", "get", "ledger/" + prefix)).contains("of 7");
    }

    @Test
    void theMarkIsReadableByHand() throws Exception {
        install();
        try (Sink sink = open(ConsulServer.MASTER_TOKEN)) {
            answer(sink.raise(BILLING, mark(7)));
        }

        assertThat(server.consul("kv", "get", prefix + "/f/billing/closer:mark").strip())
                .isEqualTo("7 candidate:ada@host-1-x");
        assertThat(server.consul("kv", "get", "-keys", prefix + "/f/billing/").lines())
                .containsExactly(prefix + "/f/billing/closer:mark", prefix + "/f/billing/closer:token:7");
    }

    @Test
    void aSinkThatIsNotInstalledSaysSo() {
        try (Sink sink = open(ConsulServer.MASTER_TOKEN)) {
            assertThatThrownBy(() -> answer(sink.id()))
                    .isInstanceOf(SinkException.class)
                    .hasMessageContaining("has no fence: incumbent fence install");
            assertThatThrownBy(() -> answer(sink.raise(BILLING, mark(7)))).isInstanceOf(SinkException.class);
        }
    }

    @Test
    void whereNobodyListensThatIsSaid() {
        int port = FreePorts.one();
        try (Sink sink = new ConsulSinkProvider().open("consul://127.0.0.1:" + port + "/p", BOUND)) {
            assertThatThrownBy(() -> answer(sink.id()))
                    .isInstanceOf(SinkException.class)
                    .hasMessageContaining("consul://127.0.0.1:" + port + "/p")
                    .hasMessageContaining("Connection refused");
        }
    }

    @Test
    @Tag("realtime")
    void aServerThatHangsEndsTheCallWithinItsBound() throws Exception {
        try (ConsulServer hung = ConsulServer.start(ConsulServer.Access.OPEN);
                Sink sink = new ConsulSinkProvider()
                        .open("consul://127.0.0.1:" + hung.port() + "/p", Duration.ofMillis(500))) {
            hung.process().freeze();

            assertThatThrownBy(() -> answer(sink.raise(BILLING, mark(7)))).isInstanceOf(SinkException.class);

            hung.process().thaw();
        }
    }

    @Test
    void aMalformedUrlAndATableAreRefused() {
        ConsulSinkProvider provider = new ConsulSinkProvider();

        for (String url :
                List.of("consul:///p", "consul://u:secret@h/p", "consul://h/a//b", "consul://h/p?tokn=secret")) {
            assertThatThrownBy(() -> provider.open(url, BOUND))
                    .as(url)
                    .isInstanceOf(SinkException.class)
                    .hasMessageNotContaining("secret");
        }
        assertThatThrownBy(() -> provider.guard("consul://h/p", "ledger", BILLING))
                .isInstanceOf(SinkException.class)
                .hasMessageContaining("no tables");
    }

    private void write(ConsulFence fence, long token) throws Exception {
        FencedWrite write = fence.begin();
        write.admit(BILLING, new FencingToken(token));
        write.set("ledger/" + prefix, ("of " + token).getBytes(StandardCharsets.UTF_8));
        write.commit();
    }

    private String rules(String rules) {
        return server.tokenOf("s-" + UUID.randomUUID(), rules);
    }

    private String url(String token) {
        return "consul://127.0.0.1:" + server.port() + "/" + prefix + "?token=" + token;
    }

    private void install() {
        new ConsulSinkProvider().install(url(ConsulServer.MASTER_TOKEN));
    }

    private Sink open(String token) {
        return new ConsulSinkProvider().open(url(token), BOUND);
    }

    private static Mark mark(long token) {
        return new Mark(new FencingToken(token), MarkOwner.ofCandidate(CandidateId.of("ada", "host", 1, "x")));
    }

    private static <T> T answer(CompletionStage<T> stage) throws Exception {
        try {
            return stage.toCompletableFuture().get(10, SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }
}
