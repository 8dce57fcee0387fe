package dev.incumbent.coordinator.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import dev.incumbent.servers.Command;
import dev.incumbent.servers.EtcdServer;
import dev.incumbent.servers.FreePorts;
import dev.incumbent.servers.TemporaryFolder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
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
            server.addUser("ada", "se:cr/et", "--prefix=true readwrite /app/");
            server.demandLogins();
            String at = "127.0.0.1:" + server.port();

            Coordinator ada = clients.open("etcd://ada:se%3Acr%2Fet@" + at + "/app");
            var lease = Clients.grant(ada, Duration.ofSeconds(5));
            assertThat(Clients.swapped(ada, ELECTION, Revision.ABSENT, Clients.claim(1, lease.id())))
                    .isNotEqualTo(Revision.ABSENT);
            Clients.get(ada.keepAlive(lease.id()));
            Clients.get(ada.enlist(ELECTION, enlisted(lease.id())));
            assertThat(Clients.get(ada.candidates(Set.of(ELECTION))).get(ELECTION))
                    .hasSize(1);
            assertThat(Clients.get(ada.memberCount())).hasValue(1);
            assertThat(clients.within(Duration.ofSeconds(20), watched(ada))).isTrue();

            assertUnusable(clients.open("etcd://ada:wrong@" + at + "/app"), "invalid user ID or password", "wrong");
            assertUnusable(clients.open("etcd://" + at + "/app"), "user name is empty", "wrong");
            assertUnusable(clients.open("etcd://ada:se%3Acr%2Fet@" + at + "/other"), "permission denied", "se:cr");
        }
    }

    @Test
    void aTokenThatTheServerForgotIsHadAgain() {
        try (EtcdServer server = EtcdServer.start("--auth-token-ttl", "1");
                Clients clients = new Clients()) {
            server.demandLogins();
            Coordinator root = clients.open("etcd://" + EtcdServer.ROOT + "@127.0.0.1:" + server.port() + "/app");
            var lease = Clients.grant(root, Duration.ofSeconds(30));

            long end = clients.timeline().nanos() + Duration.ofSeconds(4).toNanos();
            boolean waited = clients.within(
                    Duration.ofSeconds(5), () -> clients.timeline().nanos() > end);

            assertThat(waited).isTrue();
            assertThatCode(() -> Clients.get(root.keepAlive(lease.id()))).doesNotThrowAnyException();
            assertThat(Clients.get(root.elections(""))).isEmpty();
        }
    }

    /** A JWT ends when its time is over, however often it is used. */
    @Test
    void tokensThatEndCostNoKeepAliveNoSwapAndNoWatch() {
        try (TemporaryFolder folder = TemporaryFolder.create("etcd-jwt");
                EtcdServer server = EtcdServer.start("--auth-token", jwt(folder, "1s"));
                Clients clients = new Clients()) {
            server.demandLogins();
            Coordinator root = clients.open("etcd://" + EtcdServer.ROOT + "@127.0.0.1:" + server.port() + "/app");
            var lease = Clients.grant(root, Duration.ofSeconds(30));
            AtomicLong told = new AtomicLong();
            root.watch(ELECTION, new Terms(told));

            Revision at = Revision.ABSENT;
            long term = 0;
            long end = clients.timeline().nanos() + Duration.ofSeconds(4).toNanos();
            while (clients.timeline().nanos() < end) {
                Clients.get(root.keepAlive(lease.id()));
                at = Clients.swapped(root, ELECTION, at, Clients.claim(++term, lease.id()));
                assertThat(at).as("term %d", term).isNotEqualTo(Revision.ABSENT);
                assertThat(Clients.get(root.read(Set.of(ELECTION)))).containsKey(ELECTION);
            }

            long last = term;
            assertThat(clients.within(Duration.ofSeconds(5), () -> told.get() == last))
                    .isTrue();
        }
    }

    /** The option of a server whose tokens bear what they are for, and end when that time is over. */
    static String jwt(TemporaryFolder folder, String life) {
        String key = folder.resolve("jwt.key").toString();
        String open = folder.resolve("jwt.pub").toString();
        Command.run(List.of("openssl", "genrsa", "-out", key, "2048"), Map.of());
        Command.run(List.of("openssl", "rsa", "-in", key, "-pubout", "-out", open), Map.of());
        return "jwt,pub-key=" + open + ",priv-key=" + key + ",sign-method=RS256,ttl=" + life;
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

    @Test
    void aServerWithoutItsGatewayIsToldSo() {
        try (EtcdServer server = EtcdServer.start("--enable-grpc-gateway=false");
                Clients clients = new Clients()) {
            assertUnusable(
                    clients.open(server.uri("app")),
                    "does not answer as etcd 3.4 or later with its gateway on: HTTP 404",
                    "no secret here");
        }
    }

    private static Enlisted enlisted(LeaseId lease) {
        return new Enlisted(new Candidate(Clients.ADA, "ada", ""), lease, Instant.EPOCH, Set.of(), Set.of());
    }

    /** Was its record told? */
    private static BooleanSupplier watched(Coordinator client) {
        AtomicLong term = new AtomicLong();
        client.watch(ELECTION, new Watcher() {
            @Override
            public void changed(ObservedRecord record) {
                term.set(record.record().term());
            }

            @Override
            public void gap() {}

            @Override
            public void currentAsOf(long sentAtNanos) {}
        });
        return () -> term.get() == 1;
    }

    /** Keeps the last term. */
    private record Terms(AtomicLong last) implements Watcher {
        @Override
        public void changed(ObservedRecord record) {
            last.set(record.record().term());
        }

        @Override
        public void gap() {
            // what was missed is told next
        }

        @Override
        public void currentAsOf(long sentAtNanos) {
            // no question here
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
