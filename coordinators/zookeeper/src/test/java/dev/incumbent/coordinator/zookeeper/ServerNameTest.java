package dev.incumbent.coordinator.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.GrantedLease;
import dev.incumbent.model.Revision;
import dev.incumbent.servers.FreePorts;
import dev.incumbent.servers.ServerCertificate;
import dev.incumbent.servers.ZooKeeperServer;
import dev.incumbent.time.SystemTimeline;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * TLS asks a server for the name by which it was found, on each connection. The name has the address 127.0.0.1, and is not the name that the JDK tells of that
 * address. Alone in its JVM while it runs, for the client's TLS is set by properties of the JVM.
 */
@Tag("field")
@Tag("realtime")
@Isolated
class ServerNameTest {
    /** From the file {@code hosts} of the test's resources. */
    private static final String HOST = "member.test";

    private static final Duration LEASE = Servers.TICK.multipliedBy(16);
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final SystemTimeline timeline = new SystemTimeline();
    private final ServerCertificate certificate = ServerCertificate.naming("DNS:" + HOST);
    private final int port = FreePorts.one();
    private final ZooKeeperServer server = ZooKeeperServer.startWithTls(Servers.TICK, certificate, port);
    private final Map<String, String> properties = Map.of(
            "zookeeper.client.secure", "true",
            "zookeeper.clientCnxnSocket", "org.apache.zookeeper.ClientCnxnSocketNetty",
            "zookeeper.ssl.trustStore.location", certificate.file().toString());

    @BeforeEach
    void speakTls() {
        properties.forEach(System::setProperty);
    }

    @AfterEach
    void close() {
        properties.keySet().forEach(System::clearProperty);
        server.close();
        certificate.close();
        timeline.close();
    }

    @Test
    void aKeepAliveFindsItsServerByTheNameThatItsCertificateHas() throws Exception {
        assertThat(InetAddress.getAllByName("127.0.0.1")[0].getHostName()).isNotEqualTo(HOST);
        try (Coordinator client = open()) {
            Asking.within(PATIENCE, "a connection", () -> Asking.answers(client.elections("")));
            GrantedLease lease = Asking.granted(client, LEASE);
            Revision unused = Asking.swapped(client, Revision.ABSENT, Asking.claim(1, lease.id()));

            Asking.get(client.keepAlive(lease.id()));
            Asking.get(client.keepAlive(lease.id()));

            assertThat(Asking.found(client).leaseAlive()).isTrue();
        }
    }

    private Coordinator open() {
        return new ZooKeeperCoordinatorProvider()
                .open("zk://" + HOST + ":" + port + "/names", timeline, REQUEST_TIMEOUT, Mode.CREATE);
    }
}
