package dev.incumbent.coordinator.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Revision;
import dev.incumbent.servers.Command;
import dev.incumbent.servers.EtcdServer;
import dev.incumbent.servers.FreePorts;
import dev.incumbent.servers.TemporaryFolder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who may ask, over which wire, and what is told where that is wrong. */
@Tag("realtime")
class EtcdAccessTest {
    private static final ElectionName ELECTION = new ElectionName("billing/closer");

    @Test
    void aUserWithItsPasswordIsServedAndAnotherIsTold() {
        try (EtcdServer server = EtcdServer.start();
                Clients clients = new Clients()) {
            server.etcdctl("user", "add", "root:toor");
            server.etcdctl("user", "grant-role", "root", "root");
            server.etcdctl("user", "add", "ada:se:cr/et");
            server.etcdctl("role", "add", "elections");
            server.etcdctl("role", "grant-permission", "elections", "--prefix=true", "readwrite", "/app/");
            server.etcdctl("user", "grant-role", "ada", "elections");
            server.etcdctl("auth", "enable");
            String at = "127.0.0.1:" + server.port();

            Coordinator ada = clients.open("etcd://ada:se%3Acr%2Fet@" + at + "/app");
            var lease = Clients.grant(ada, Duration.ofSeconds(5));
            assertThat(Clients.swapped(ada, ELECTION, Revision.ABSENT, Clients.claim(1, lease.id())))
                    .isNotEqualTo(Revision.ABSENT);
            Clients.get(ada.keepAlive(lease.id()));

            assertUnusable(clients.open("etcd://ada:wrong@" + at + "/app"), "invalid user ID or password", "wrong");
            assertUnusable(clients.open("etcd://" + at + "/app"), "user name is empty", "wrong");
            assertUnusable(clients.open("etcd://ada:se%3Acr%2Fet@" + at + "/other"), "permission denied", "se:cr");
        }
    }

    @Test
    void aTokenThatTheServerForgotIsHadAgain() {
        try (EtcdServer server = EtcdServer.start("--auth-token-ttl", "1");
                Clients clients = new Clients()) {
            server.etcdctl("user", "add", "root:toor");
            server.etcdctl("user", "grant-role", "root", "root");
            server.etcdctl("auth", "enable");
            Coordinator root = clients.open("etcd://root:toor@127.0.0.1:" + server.port() + "/app");
            var lease = Clients.grant(root, Duration.ofSeconds(30));

            long end = clients.timeline().nanos() + Duration.ofSeconds(4).toNanos();
            boolean waited = clients.within(
                    Duration.ofSeconds(5), () -> clients.timeline().nanos() > end);

            assertThat(waited).isTrue();
            assertThatCode(() -> Clients.get(root.keepAlive(lease.id()))).doesNotThrowAnyException();
            assertThat(Clients.get(root.elections(""))).isEmpty();
        }
    }

    @Test
    void tlsIsSpokenWithAServerThatTheAuthorityVouchesForAndWithNoOther() {
        try (TemporaryFolder folder = TemporaryFolder.create("etcd-tls")) {
            String key = folder.resolve("server.key").toString();
            String certificate = folder.resolve("server.crt").toString();
            Command.run(
                    List.of(
                            "openssl",
                            "req",
                            "-x509",
                            "-newkey",
                            "rsa:2048",
                            "-nodes",
                            "-days",
                            "2",
                            "-keyout",
                            key,
                            "-out",
                            certificate,
                            "-subj",
                            "/CN=etcd",
                            "-addext",
                            "subjectAltName=IP:127.0.0.1"),
                    Map.of());
            try (EtcdServer server = EtcdServer.start("--cert-file", certificate, "--key-file", key);
                    Clients clients = new Clients()) {
                String at = "127.0.0.1:" + server.port() + "/app";

                Coordinator trusting = clients.open("etcd://" + at + "?cacert=" + certificate);
                var lease = Clients.grant(trusting, Duration.ofSeconds(5));
                Clients.get(trusting.keepAlive(lease.id()));
                assertThat(Clients.swapped(trusting, ELECTION, Revision.ABSENT, Clients.claim(1, lease.id())))
                        .isNotEqualTo(Revision.ABSENT);

                assertFails(clients.open("etcd://" + at + "?tls=true"), "unable to find valid certification path");
                assertFails(clients.open("etcd://" + at), "wants TLS (?tls=true)");
            }
        }
    }

    @Test
    void aWrongPlaceIsToldInOneSentence() {
        try (Clients clients = new Clients()) {
            int nobody = FreePorts.one();

            assertFails(
                    clients.open("etcd://127.0.0.1:" + nobody + "/app"),
                    "etcd at etcd://127.0.0.1:" + nobody + "/app cannot be reached: 127.0.0.1:" + nobody
                            + " refuses connections");
            assertFails(clients.open("etcd://no.such.host.invalid/app"), "no.such.host.invalid:2379 has no address");
        }
    }

    @Test
    void anAddressThatCannotBeIsRefusedAtOnce() {
        try (Clients clients = new Clients()) {
            assertRefused(clients, "etcd:///app", "'' is no HOST:PORT");
            assertRefused(clients, "etcd://h:99999/app", "'h:99999' is no HOST:PORT");
            assertRefused(clients, "etcd://h/a//b", "is no prefix for keys in etcd");
            assertRefused(
                    clients,
                    "etcd://ada:secret@h/app?pasword=x",
                    "the parameter 'pasword' is unknown; known are tls, cacert, cert, key");
            assertRefused(clients, "etcd://h/app?cacert=/no/such/file", "the certificates for etcd cannot be read");
        }
    }

    private static void assertRefused(Clients clients, String at, String why) {
        assertThatThrownBy(() -> clients.open(at))
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessageContaining(why)
                .hasMessageNotContaining("secret");
    }

    private static void assertUnusable(Coordinator client, String why, String secret) {
        assertThatThrownBy(() -> Clients.get(client.elections("")))
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessageContaining(why)
                .hasMessageNotContaining(secret);
    }

    private static void assertFails(Coordinator client, String why) {
        assertThatThrownBy(() -> Clients.get(client.elections("")))
                .isInstanceOf(CoordinatorException.class)
                .hasMessageContaining(why);
    }
}
