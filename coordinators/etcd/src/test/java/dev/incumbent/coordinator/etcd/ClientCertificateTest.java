package dev.incumbent.coordinator.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Revision;
import dev.incumbent.servers.Command;
import dev.incumbent.servers.EtcdServer;
import dev.incumbent.servers.TemporaryFolder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An etcd that demands client certificates, with users and without. The certificate {@code named} has a common name, {@code nameless} has none. */
@Tag("realtime")
class ClientCertificateTest {
    /** A handshake, and a password that etcd hashes slowly on purpose, on a busy machine. */
    private static final Duration PATIENT = Duration.ofSeconds(15);

    private final TemporaryFolder folder = TemporaryFolder.create("etcd-certificates");
    private final Clients clients = new Clients();

    @BeforeEach
    void certificates() {
        openssl("-keyout", file("ca.key"), "-out", file("ca.crt"), "-subj", "/CN=authority");
        signed("server", "/CN=etcd", "-addext", "subjectAltName=IP:127.0.0.1");
        signed("named", "/CN=root");
        signed("nameless", "/O=incumbent");
    }

    @AfterEach
    void close() {
        clients.close();
        folder.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"named", "nameless"})
    void eitherCertificateIsServedWhereThereAreNoUsers(String certificate) {
        try (EtcdServer server = server()) {
            assertServed(clients.open(uri(server, "", certificate), PATIENT));

            assertThatThrownBy(
                            () -> Clients.get(clients.open(uri(server, "", "no").replaceAll("&.*", ""))
                                    .elections("")))
                    .isInstanceOf(CoordinatorException.class)
                    .isNotInstanceOf(CoordinatorUnusableException.class);
        }
    }

    @Test
    void aCertificateWithoutANameIsServedWithAUser() {
        try (EtcdServer server = server()) {
            enableUsers(server);

            assertServed(clients.open(uri(server, "root:toor@", "nameless"), PATIENT));
        }
    }

    @Test
    void aCertificateWithANameIsRefusedInOneSentenceWhereThereAreUsers() {
        try (EtcdServer server = server()) {
            enableUsers(server);

            assertThatThrownBy(() -> Clients.get(
                            clients.open(uri(server, "root:toor@", "named")).elections("")))
                    .isInstanceOf(CoordinatorUnusableException.class)
                    .hasMessage("etcd at 127.0.0.1:" + server.port()
                            + " has users, and then its gateway refuses a client certificate with a common"
                            + " name (CN): use a certificate without CN, and a user in the URI or in ETCDCTL_USER");
        }
    }

    private static void assertServed(Coordinator client) {
        var lease = Clients.grant(client, Duration.ofSeconds(5));
        Clients.get(client.keepAlive(lease.id()));
        assertThat(Clients.swapped(
                        client, new ElectionName("billing/closer"), Revision.ABSENT, Clients.claim(1, lease.id())))
                .isNotEqualTo(Revision.ABSENT);
    }

    private EtcdServer server() {
        return EtcdServer.start(
                "--cert-file",
                file("server.crt"),
                "--key-file",
                file("server.key"),
                "--client-cert-auth",
                "--trusted-ca-file",
                file("ca.crt"));
    }

    private String uri(EtcdServer server, String user, String certificate) {
        return "etcd://" + user + "127.0.0.1:" + server.port() + "/app?cacert=" + file("ca.crt") + "&cert="
                + file(certificate + ".crt") + "&key=" + file(certificate + ".key");
    }

    private void enableUsers(EtcdServer server) {
        etcdctl(server, "user", "add", "root:toor");
        etcdctl(server, "user", "grant-role", "root", "root");
        etcdctl(server, "auth", "enable");
    }

    private void etcdctl(EtcdServer server, String... words) {
        List<String> line = new ArrayList<>(List.of("--cacert", file("ca.crt")));
        line.addAll(List.of("--cert", file("named.crt"), "--key", file("named.key")));
        line.addAll(List.of(words));
        server.etcdctl(line.toArray(new String[0]));
    }

    private void signed(String name, String subject, String... more) {
        List<String> line = new ArrayList<>(List.of("-keyout", file(name + ".key"), "-out", file(name + ".crt")));
        line.addAll(List.of("-CA", file("ca.crt"), "-CAkey", file("ca.key"), "-subj", subject));
        line.addAll(List.of(more));
        openssl(line.toArray(new String[0]));
    }

    private static void openssl(String... words) {
        List<String> line = new ArrayList<>(List.of("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes"));
        line.addAll(List.of("-days", "2"));
        line.addAll(List.of(words));
        Command.run(line, Map.of());
    }

    private String file(String name) {
        return folder.resolve(name).toString();
    }
}
