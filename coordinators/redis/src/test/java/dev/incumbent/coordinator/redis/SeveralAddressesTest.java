package dev.incumbent.coordinator.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.LeaseId;
import dev.incumbent.servers.RedisServer;
import dev.incumbent.servers.ServerCertificate;
import dev.incumbent.time.SystemTimeline;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A host name with two addresses, of which the second alone is a Redis'. The JDK takes the name from the file {@code hosts} of the test's resources. */
@Tag("field")
@Tag("realtime")
class SeveralAddressesTest {
    private static final String HOST = "several.test";
    private static final String FIRST = "127.0.0.3";
    private static final Duration REQUEST = Duration.ofSeconds(3);
    private static final Duration LEASE = Duration.ofSeconds(10);

    private final SystemTimeline time = new SystemTimeline();

    @AfterEach
    void close() {
        time.close();
    }

    @Test
    void anAddressThatRefusesConnectionsIsLeftForTheNext() throws Exception {
        assertThat(InetAddress.getAllByName(HOST))
                .extracting(InetAddress::getHostAddress)
                .containsExactly(FIRST, "127.0.0.1");
        try (RedisServer server = RedisServer.start();
                Coordinator client = open("redis://" + HOST + ":" + server.port())) {
            assertServed(client);
        }
    }

    /** Its certificate has the name, and none of the addresses. */
    @Test
    void theServerAtTheNextAddressIsAskedForItsName() {
        try (ServerCertificate certificate = ServerCertificate.naming("DNS:" + HOST);
                RedisServer server = RedisServer.startOverTls(certificate);
                Coordinator client = open("rediss://" + HOST + ":" + server.port() + "?ca=" + certificate.file())) {
            assertServed(client);
        }
    }

    /** A call that is late takes its connection with it, and the next call goes to the next address. */
    @Test
    void anAddressThatTakesConnectionsAndDoesNotAnswerIsLeftForTheNext() throws Exception {
        try (RedisServer server = RedisServer.start();
                ServerSocket silent = new ServerSocket(server.port(), 50, InetAddress.getByName(FIRST));
                Coordinator client = open("redis://" + HOST + ":" + server.port())) {
            assertThat(silent.isBound()).isTrue();
            assertThatThrownBy(() -> granted(client)).hasCauseInstanceOf(CoordinatorException.class);

            assertServed(client);
        }
    }

    private static void assertServed(Coordinator client) {
        LeaseId lease = granted(client);
        client.keepAlive(lease).toCompletableFuture().join();
        client.revoke(lease).toCompletableFuture().join();
    }

    private static LeaseId granted(Coordinator client) {
        return client.grant(new CandidateId("ada"), LEASE)
                .toCompletableFuture()
                .join()
                .id();
    }

    private Coordinator open(String uri) {
        return new RedisCoordinatorProvider().open(uri, time, REQUEST, Mode.CREATE);
    }
}
