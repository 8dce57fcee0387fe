package dev.incumbent.fence.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.servers.RedisServer;
import dev.incumbent.servers.ServerCertificate;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A host name with two addresses, of which the second alone is a Redis'. The JDK takes the name from the file {@code hosts} of the test's resources. */
@Tag("field")
class SeveralAddressesTest {
    private static final String HOST = "several.test";
    private static final Duration BOUND = Duration.ofSeconds(20);
    private static final ElectionName BILLING = new ElectionName("billing/closer");

    @Test
    void anAddressThatRefusesConnectionsIsLeftForTheNext() throws Exception {
        try (RedisServer server = RedisServer.start()) {
            assertServed("redis://" + HOST + ":" + server.port());
        }
    }

    /** Its certificate has the name, and none of the addresses. */
    @Test
    void theServerAtTheNextAddressIsAskedForItsName() throws Exception {
        try (ServerCertificate certificate = ServerCertificate.naming("DNS:" + HOST);
                RedisServer server = RedisServer.startOverTls(certificate)) {
            assertServed("rediss://" + HOST + ":" + server.port() + "?ca=" + certificate.file());
        }
    }

    private static void assertServed(String url) throws Exception {
        RedisSinkProvider provider = new RedisSinkProvider();
        provider.install(url);
        try (Sink sink = provider.open(url, BOUND);
                RedisFence fence = RedisFence.open(url, BOUND)) {
            Mark seven = new Mark(new FencingToken(7), MarkOwner.ofOperator("me"));

            assertThat(sink.raise(BILLING, seven).toCompletableFuture().get()).isInstanceOf(Raise.Raised.class);
            assertThat(fence.write(BILLING, new FencingToken(7), "SET", "a", "b"))
                    .isPresent();
        }
    }
}
