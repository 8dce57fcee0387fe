package dev.incumbent.coordinator.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.servers.EtcdServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A host name with two addresses, of which the second alone is an etcd's. The JDK takes the name from the file {@code hosts} of the test's resources. */
@Tag("field")
@Tag("realtime")
class SeveralAddressesTest {
    private static final String HOST = "several.test";
    private static final String FIRST = "127.0.0.3";
    private static final Duration LEASE = Duration.ofSeconds(5);

    @Test
    void anAddressThatRefusesConnectionsIsLeftForTheNext() throws Exception {
        try (EtcdServer server = EtcdServer.start();
                Clients clients = new Clients()) {
            assertThat(InetAddress.getAllByName(HOST))
                    .extracting(InetAddress::getHostAddress)
                    .containsExactly(FIRST, "127.0.0.1");

            Coordinator client = clients.open("etcd://" + HOST + ":" + server.port() + "/app");

            assertServed(client);
        }
    }

    /** A call that is late takes its connection with it, and the next call goes to the next address. */
    @Test
    void anAddressThatDoesNotAnswerIsLeftForTheNext() throws Exception {
        try (EtcdServer server = EtcdServer.start();
                ServerSocket silent = new ServerSocket(server.port(), 50, InetAddress.getByName(FIRST));
                Clients clients = new Clients()) {
            Coordinator client = clients.open("etcd://" + HOST + ":" + server.port() + "/app");

            assertThatThrownBy(() -> Clients.grant(client, LEASE))
                    .isInstanceOfSatisfying(
                            CoordinatorException.class,
                            told -> assertThat(told.mayHaveApplied()).isTrue())
                    .hasMessageContaining("did not answer in time");
            assertServed(client);

            assertThat(accepted(silent)).isTrue();
        }
    }

    @Test
    void aNameIsServedAgainWhereItsAddressWasLeft() {
        try (EtcdServer server = EtcdServer.start();
                Clients clients = new Clients()) {
            Coordinator client = clients.open("etcd://" + HOST + ":" + server.port() + "/app");
            assertServed(client);

            server.kill();
            assertThatThrownBy(() -> Clients.grant(client, LEASE)).isInstanceOf(CoordinatorException.class);
            server.startAgain();

            assertThat(clients.within(Duration.ofSeconds(30), () -> Clients.grant(client, LEASE) != null))
                    .isTrue();
        }
    }

    private static void assertServed(Coordinator client) {
        Clients.get(client.keepAlive(Clients.grant(client, LEASE).id()));
    }

    private static boolean accepted(ServerSocket silent) throws IOException {
        silent.setSoTimeout((int) TimeUnit.SECONDS.toMillis(1));
        try (Socket first = silent.accept()) {
            return first.isConnected();
        }
    }
}
