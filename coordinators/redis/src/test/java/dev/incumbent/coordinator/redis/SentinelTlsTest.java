package dev.incumbent.coordinator.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.LeaseId;
import dev.incumbent.servers.RedisSentinel;
import dev.incumbent.servers.RedisServer;
import dev.incumbent.servers.ServerCertificate;
import dev.incumbent.time.SystemTimeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A sentinel and a master that speak nothing but TLS, each with a password of its own. */
@Tag("realtime")
class SentinelTlsTest {
    private static final CandidateId ADA = new CandidateId("ada");
    private static final Duration LEASE = Duration.ofMinutes(2);
    private static final Duration REQUEST = Duration.ofSeconds(20);
    private static final Duration NEVER_DOWN = Duration.ofHours(1);

    private final SystemTimeline time = new SystemTimeline();
    private final List<AutoCloseable> open = new ArrayList<>();
    private final ServerCertificate trusted = opened(ServerCertificate.create());

    @AfterEach
    void close() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
        time.close();
    }

    @Test
    void theMasterIsFoundAndServesOverTls() {
        RedisServer master = master(trusted);
        RedisSentinel sentinel = sentinel(master, trusted);

        LeaseId lease = granted(client(sentinel));

        Coordinator straight = client("rediss://:SECRET@127.0.0.1:" + master.port() + "?ca=" + trusted.file());
        assertThat(straight.keepAlive(lease).toCompletableFuture()).succeedsWithin(REQUEST);
    }

    @Test
    void aSentinelWhoseCertificateIsNotTrustedIsTold() {
        RedisSentinel stranger = sentinel(master(trusted), opened(ServerCertificate.create()));

        assertRefused(
                client(stranger),
                "where the master office of the sentinels is, is not known: 0 of 1 sentinels answered, 1 must agree: "
                        + "rediss://127\\.0\\.0\\.1:" + stranger.port() + "/0 cannot be reached over TLS: .*"
                        + " \\(a private authority is named by \\?ca=FILE\\)");
    }

    @Test
    void aMasterWhoseCertificateIsNotTrustedIsTold() {
        RedisServer stranger = master(opened(ServerCertificate.create()));

        assertRefused(
                client(sentinel(stranger, trusted)),
                "rediss://127\\.0\\.0\\.1:" + stranger.port() + "/0 cannot be reached over TLS: .*"
                        + " \\(a private authority is named by \\?ca=FILE\\)");
    }

    /** One certificate for both: the sentinel is reached by the name in it, and tells 127.0.0.1. */
    @Test
    void aMasterWhoseCertificateDoesNotNameTheAddressThatIsToldIsRefused() {
        ServerCertificate localhost = opened(ServerCertificate.naming("DNS:localhost"));
        RedisServer master = master(localhost);
        RedisSentinel sentinel = sentinel(master, localhost);

        assertRefused(
                client(uri("localhost", sentinel, localhost)),
                "rediss://127\\.0\\.0\\.1:" + master.port()
                        + "/0 cannot be reached over TLS: No subject alternative .*");
    }

    @Test
    void aPlainUriOfASentinelThatSpeaksTlsIsToldOfTls() {
        RedisSentinel sentinel = sentinel(master(trusted), trusted);
        String plain = "redis+sentinel://:SECRET@127.0.0.1:" + sentinel.port() + "/office?sentinel-password=SECRET2";

        assertRefused(
                client(plain), ".* closed the connection before it answered \\(one that speaks TLS is rediss://\\)");
    }

    private void assertRefused(Coordinator client, String sentence) {
        assertThatThrownBy(() -> client.grant(ADA, LEASE).toCompletableFuture().join())
                .cause()
                .isInstanceOf(CoordinatorException.class)
                .hasMessageMatching(sentence)
                .hasMessageNotContaining("SECRET");
    }

    private static LeaseId granted(Coordinator client) {
        return client.grant(ADA, LEASE).toCompletableFuture().join().id();
    }

    private RedisServer master(ServerCertificate shown) {
        return opened(RedisServer.startOverTls(shown, "--requirepass", "SECRET"));
    }

    private RedisSentinel sentinel(RedisServer master, ServerCertificate shown) {
        return opened(RedisSentinel.startOverTls(
                master.port(), NEVER_DOWN, shown, "requirepass SECRET2", "sentinel auth-pass office SECRET"));
    }

    private static String uri(String host, RedisSentinel sentinel, ServerCertificate trusted) {
        return "rediss+sentinel://:SECRET@" + host + ":" + sentinel.port() + "/office?sentinel-password=SECRET2&ca="
                + trusted.file();
    }

    private Coordinator client(RedisSentinel sentinel) {
        return client(uri("127.0.0.1", sentinel, trusted));
    }

    private Coordinator client(String uri) {
        return opened(new RedisCoordinatorProvider().open(uri, time, REQUEST, Mode.CREATE));
    }

    private <T extends AutoCloseable> T opened(T one) {
        open.add(one);
        return one;
    }
}
