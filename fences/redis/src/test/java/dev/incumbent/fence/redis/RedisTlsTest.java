package dev.incumbent.fence.redis;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.fence.NotAdmittedException;
import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.servers.RedisServer;
import dev.incumbent.servers.ServerCertificate;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A sink that speaks nothing but TLS, and asks for a password. */
class RedisTlsTest {
    private static final ElectionName BILLING = new ElectionName("billing/closer");
    private static final Duration BOUND = Duration.ofSeconds(5);
    private static final FencingToken SEVEN = new FencingToken(7);
    private static final Mark MARK = new Mark(SEVEN, MarkOwner.ofOperator("me"));

    private final RedisSinkProvider provider = new RedisSinkProvider();
    private final ServerCertificate shown = ServerCertificate.create();
    private final RedisServer server = RedisServer.startOverTls(shown, "--requirepass", "SECRET");
    private final String trusting = "?ca=" + shown.file();

    @AfterEach
    void close() {
        server.close();
        shown.close();
    }

    @Test
    void theFenceHoldsOverTls() throws Exception {
        String url = "rediss://:SECRET@127.0.0.1:" + server.port() + trusting;
        provider.install(url);
        try (Sink sink = provider.open(url, BOUND);
                RedisFence fence = RedisFence.open(url, BOUND)) {

            Raise raised = answer(sink.raise(BILLING, MARK));

            assertThat(raised).isEqualTo(new Raise.Raised(MARK));
            assertThat(answer(sink.marks()).marks()).containsEntry(BILLING, MARK);
            assertThat(fence.write(BILLING, SEVEN, "INCR", "lines")).contains(1L);
            assertThatThrownBy(() -> fence.write(BILLING, new FencingToken(6), "INCR", "lines"))
                    .isInstanceOf(StaleTokenException.class);
            assertThat(fence.write(BILLING, SEVEN, "INCR", "lines")).contains(2L);
        }
    }

    @Test
    void aCertificateThatIsNotTrustedIsTold() {
        String url = "rediss://:SECRET@127.0.0.1:" + server.port();

        assertRefused(
                url,
                server.uri() + "/0 cannot be reached over TLS: unable to find valid certification path to requested"
                        + " target (a private authority is named by ?ca=FILE)");
    }

    @Test
    void aCertificateThatNamesAnotherHostIsTold() {
        String url = "rediss://:SECRET@localhost:" + server.port() + trusting;

        assertRefused(
                url,
                "rediss://localhost:" + server.port()
                        + "/0 cannot be reached over TLS: No name matching localhost found (a private authority is named by ?ca=FILE)");
    }

    @Test
    void aPlainUrlOnATlsPortIsToldOfTls() {
        String withPassword = "redis://:SECRET@127.0.0.1:" + server.port();
        String without = "redis://127.0.0.1:" + server.port();

        assertRefused(
                withPassword,
                without + "/0 closed the connection before it answered (one that speaks TLS is rediss://)");
        assertRefused(
                without, without + "/0 closed the connection before it answered (one that speaks TLS is rediss://)");
    }

    @Test
    void aFileOfCertificatesThatIsNotThereIsNamed() {
        String url = "rediss://:SECRET@127.0.0.1:" + server.port() + "?ca=/no/such.pem";

        assertRefused(
                url, server.uri() + "/0 cannot be reached: the file of certificates /no/such.pem cannot be read: ");
    }

    /** By all that connects there. */
    private void assertRefused(String url, String sentence) {
        assertThatThrownBy(() -> provider.install(url))
                .isInstanceOf(SinkException.class)
                .hasMessageStartingWith(sentence)
                .hasMessageNotContaining("SECRET");
        try (Sink sink = provider.open(url, BOUND);
                RedisFence fence = RedisFence.open(url, BOUND)) {
            assertThatThrownBy(() -> answer(sink.raise(BILLING, MARK)))
                    .isInstanceOf(SinkException.class)
                    .hasMessageStartingWith(sentence)
                    .hasMessageNotContaining("SECRET");
            assertThatThrownBy(() -> fence.write(BILLING, SEVEN, "INCR", "lines"))
                    .isInstanceOf(NotAdmittedException.class)
                    .hasMessageContaining(sentence)
                    .hasMessageNotContaining("SECRET");
        }
    }

    private static <T> T answer(CompletionStage<T> stage) throws Exception {
        try {
            return stage.toCompletableFuture().get(20, SECONDS);
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof Exception cause ? cause : failed;
        }
    }
}
