package dev.incumbent.fence.consul;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.fence.FenceException;
import dev.incumbent.fence.NotAdmittedException;
import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.servers.ConsulServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The rights that {@code docs/sinks/consul.md} names are enough, and what they leave out is refused: on a Consul with ACLs. */
@Tag("trial")
final class ConsulRightsTest {
    private static final Duration BOUND = Duration.ofSeconds(10);
    private static final ElectionName CLOSER = new ElectionName("billing/closer");
    private static ConsulServer server;

    private final String prefix = "rights-" + UUID.randomUUID();
    private final String ledger = "ledger-" + UUID.randomUUID() + "/";
    private final String ownKeys = rule("key_prefix", ledger, "write");
    private final String raises =
            token(rule("key_prefix", prefix + "/f/", "write"), rule("key", prefix + "/sink:id", "write"));
    private final String writes = token(ownKeys);
    private final String writesAndReads =
            token(ownKeys, rule("key_prefix", prefix + "/f/", "read"), rule("key", prefix + "/sink:id", "read"));
    private final String looks =
            token(rule("key_prefix", prefix + "/f/", "read"), rule("key", prefix + "/sink:id", "read"));
    private final ConsulSinkProvider provider = new ConsulSinkProvider();

    @BeforeAll
    static void start() {
        server = ConsulServer.start(ConsulServer.Access.TOKENS);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void theRightsOfThePageAreEnoughToInstallToRaiseToWriteAndToLook() throws Exception {
        provider.install(url(raises));
        assertThat(raise(raises, 7)).isEqualTo(new Raise.Raised(mark(7)));
        write(writes, 7, ledger + "1");
        write(writesAndReads, 7, ledger + "2");

        assertThat(raise(raises, 8)).isEqualTo(new Raise.Raised(mark(8)));

        assertThatThrownBy(() -> write(writes, 7, ledger + "3")).isInstanceOf(NotAdmittedException.class);
        assertThatThrownBy(() -> write(writesAndReads, 7, ledger + "4")).isInstanceOf(StaleTokenException.class);
        assertThat(server.consul("kv", "get", "-keys", ledger).lines()).containsExactly(ledger + "1", ledger + "2");
        assertTheMarkIs(8);
    }

    @Test
    void aWriterCannotRaiseTheMark() {
        installAndRaise();

        assertDenied(() -> raise(writes, 8), writes);
        assertDenied(() -> raise(writesAndReads, 8), writesAndReads);

        assertTheMarkIs(7);
    }

    /** Nor can it make the key of a token that is not in force, which would admit that token. */
    @Test
    void aWriterCanNeitherChangeNorDeleteTheMark() {
        installAndRaise();
        String mark = prefix + "/f/billing/closer:";

        for (String writer : List.of(writes, writesAndReads)) {
            for (String key : List.of(mark + "mark", mark + "token:7", mark + "token:6", prefix + "/sink:id")) {
                assertDenied(() -> write(writer, 7, key), writer);
                assertDenied(() -> delete(writer, 7, key), writer);
            }
        }

        assertTheMarkIs(7);
        assertThat(server.consul("kv", "get", "-keys", mark).lines())
                .containsExactlyInAnyOrder(mark + "mark", mark + "token:7");
    }

    @Test
    void whoLooksCanNeitherInstallNorRaise() {
        assertDenied(() -> provider.install(url(looks)), looks);
        installAndRaise();

        assertDenied(() -> raise(looks, 8), looks);

        assertTheMarkIs(7);
    }

    @Test
    void whoHasNoRightsIsRefusedInOneSentenceWithoutASecret() {
        installAndRaise();
        String stranger = token(rule("key_prefix", "elsewhere/", "write"));
        String unknown = UUID.randomUUID().toString();

        for (String token : List.of(stranger, unknown)) {
            assertDenied(() -> provider.install(url(token)), token);
            assertDenied(() -> raise(token, 8), token);
            assertDenied(() -> write(token, 7, ledger + "1"), token);
        }

        assertTheMarkIs(7);
        assertThat(server.consul("kv", "get", "-keys", ledger).strip()).isEmpty();
    }

    private void installAndRaise() {
        provider.install(url(raises));
        raise(raises, 7);
    }

    private void assertTheMarkIs(long token) {
        try (Sink sink = provider.open(url(looks), BOUND)) {
            assertThat(sink.marks().toCompletableFuture().join().marks()).isEqualTo(Map.of(CLOSER, mark(token)));
        }
    }

    private void assertDenied(ThrowingCallable call, String secret) {
        assertThatThrownBy(call)
                .isInstanceOfAny(SinkException.class, NotAdmittedException.class)
                .hasMessageStartingWith("consul://127.0.0.1:" + server.port() + "/" + prefix)
                .hasMessageMatching("\\S+( \\S+)*")
                .message()
                .containsPattern("Permission denied|ACL not found")
                .doesNotContain(secret);
    }

    private void write(String token, long term, String key) throws FenceException {
        try (ConsulFence fence = ConsulFence.at(url(token), BOUND)) {
            FencedWrite write = fence.begin();
            write.admit(CLOSER, new FencingToken(term));
            write.set(key, ("of " + term).getBytes(StandardCharsets.UTF_8)).commit();
        }
    }

    private void delete(String token, long term, String key) throws FenceException {
        try (ConsulFence fence = ConsulFence.at(url(token), BOUND)) {
            FencedWrite write = fence.begin();
            write.admit(CLOSER, new FencingToken(term));
            write.delete(key).commit();
        }
    }

    private Raise raise(String token, long term) {
        try (Sink sink = provider.open(url(token), BOUND)) {
            return sink.raise(CLOSER, mark(term)).toCompletableFuture().join();
        } catch (CompletionException failure) {
            throw failure.getCause() instanceof SinkException known ? known : failure;
        }
    }

    private static String rule(String kind, String key, String policy) {
        return kind + " \"" + key + "\" { policy = \"" + policy + "\" } ";
    }

    private static String token(String... rules) {
        return server.tokenOf("rights-" + UUID.randomUUID(), String.join("", rules));
    }

    private String url(String token) {
        return "consul://127.0.0.1:" + server.port() + "/" + prefix + "?token=" + token;
    }

    private static Mark mark(long token) {
        return new Mark(new FencingToken(token), MarkOwner.ofOperator("ops@host"));
    }
}
