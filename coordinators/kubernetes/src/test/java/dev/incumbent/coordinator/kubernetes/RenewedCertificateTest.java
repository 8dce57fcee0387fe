package dev.incumbent.coordinator.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.servers.Command;
import dev.incumbent.servers.ServerCertificate;
import dev.incumbent.servers.TemporaryFolder;
import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Certificates that somebody renews on disk while we run, before a server that asks for them over TLS. */
@Tag("field")
@Timeout(120)
class RenewedCertificateTest {
    private static final int MOST_TRIES = 2_000;
    private static final Ask ASK = Ask.get("/apis");
    private static final Answer OK = new Answer(200, "{}");

    private final TemporaryFolder folder = TemporaryFolder.create("kube-certificates");
    private final ServerCertificate certificate = ServerCertificate.create();
    private final ServerCertificate another = ServerCertificate.create();

    @BeforeEach
    void certificates() throws IOException {
        make("old");
        make("renewed");
        put(file("old.crt"), "client.crt");
        put(file("old.key"), "client.key");
        put(certificate.file(), "ca.crt");
    }

    @AfterEach
    void close() {
        certificate.close();
        another.close();
        folder.close();
    }

    @Test
    void aClientCertificateIsReadAgainWhenItsFilesChange() throws Exception {
        try (CertificateServer server = new CertificateServer(certificate, 0, "old");
                Transport transport = open(inFiles(server.port()))) {
            assertThat(send(transport)).isEqualTo(OK);
            server.counts("renewed");
            assertThat(send(transport).code()).isEqualTo(401);

            put(file("renewed.crt"), "client.crt");
            put(file("renewed.key"), "client.key");

            awaitServed(transport);
            assertThat(server.shown()).startsWith("old", "old").endsWith("renewed");
            assertThat(transport.credentialsTrouble()).isEmpty();
        }
    }

    @Test
    void whileTheKeyIsNotThatOfTheCertificateTheOneBeforeIsShown() throws Exception {
        try (CertificateServer server = new CertificateServer(certificate, 0, "old");
                Transport transport = open(inFiles(server.port()))) {
            put(file("renewed.crt"), "client.crt");

            for (int tries = 0; transport.credentialsTrouble().isEmpty(); tries++) {
                assertThat(tries).as("requests without trouble").isLessThan(MOST_TRIES);
                assertThat(send(transport)).isEqualTo(OK);
            }
            assertThat(send(transport)).isEqualTo(OK);

            assertThat(transport.credentialsTrouble())
                    .startsWith("; the certificates that were renewed on disk cannot be used: ")
                    .endsWith("the key is not that of the certificate");
            put(file("renewed.key"), "client.key");
            server.counts("renewed");
            awaitServed(transport);
            assertThat(transport.credentialsTrouble()).isEmpty();
        }
    }

    @Test
    void aClientCertificateWithinTheKubeconfigIsReadAgainWhenThatChanges() throws Exception {
        try (CertificateServer server = new CertificateServer(certificate, 0, "old");
                Transport transport = open(inKubeconfig(server.port(), "old"))) {
            assertThat(send(transport)).isEqualTo(OK);
            server.counts("renewed");

            kubeconfig(inKubeconfig(server.port(), "renewed"));

            awaitServed(transport);
            assertThat(server.shown()).startsWith("old").endsWith("renewed");
        }
    }

    @Test
    void theAuthoritiesAreReadAgainWhenTheirFileChanges() throws Exception {
        CertificateServer first = new CertificateServer(certificate, 0, "old");
        int port = first.port();
        try (Transport transport = open(inFiles(port))) {
            assertThat(send(transport)).isEqualTo(OK);
            first.close();

            try (CertificateServer second = new CertificateServer(another, port, "old")) {
                assertThat(isServed(transport)).isFalse();

                put(another.file(), "ca.crt");

                awaitServed(transport);
                assertThat(second.shown()).containsOnly("old");
            }
        }
    }

    private static void awaitServed(Transport transport) {
        for (int tries = 0; !isServed(transport); tries++) {
            assertThat(tries).as("requests that were not served").isLessThan(MOST_TRIES);
            LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
        }
    }

    private static boolean isServed(Transport transport) {
        return sent(transport)
                .handle((answer, failure) -> failure == null && answer.equals(OK))
                .join();
    }

    private static Answer send(Transport transport) {
        return sent(transport).join();
    }

    private static CompletableFuture<Answer> sent(Transport transport) {
        return transport.send(ASK, TimeUnit.SECONDS.toNanos(20)).orTimeout(20, TimeUnit.SECONDS);
    }

    private Transport open(String kubeconfig) throws IOException {
        Config config = Config.fromKubeconfig(null, kubeconfig(kubeconfig).toFile());
        config.setRequestRetryBackoffLimit(0);
        config.setHttp2Disable(true);
        return Transport.open(config, () -> 0);
    }

    private Path kubeconfig(String text) throws IOException {
        Path fresh = Files.writeString(file("config-fresh"), text);
        return Files.move(fresh, file("config"), StandardCopyOption.REPLACE_EXISTING);
    }

    private String inFiles(int port) {
        return kubeconfig(
                port,
                "certificate-authority: '" + file("ca.crt") + "'",
                "client-certificate: '" + file("client.crt") + "', client-key: '" + file("client.key") + "'");
    }

    private String inKubeconfig(int port, String name) throws IOException {
        return kubeconfig(
                port,
                "certificate-authority-data: '" + text(file("ca.crt")) + "'",
                "client-certificate-data: '" + text(file(name + ".crt")) + "', client-key-data: '"
                        + text(file(name + ".key")) + "'");
    }

    private static String text(Path file) throws IOException {
        return Base64.getEncoder().encodeToString(Files.readString(file).getBytes(StandardCharsets.UTF_8));
    }

    private static String kubeconfig(int port, String authority, String user) {
        return String.join(
                "\n",
                "apiVersion: v1",
                "kind: Config",
                "clusters: [{name: c, cluster: {server: 'https://127.0.0.1:" + port + "', " + authority + "}}]",
                "contexts: [{name: x, context: {cluster: c, user: u, namespace: ns}}]",
                "current-context: x",
                "users: [{name: u, user: {" + user + "}}]",
                "");
    }

    /** Somebody renews a file, as one does it: the new one is moved into its place. */
    private void put(Path renewed, String place) throws IOException {
        Path fresh = Files.copy(renewed, file("fresh"));
        Files.move(fresh, file(place), StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    private void make(String name) {
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
                        "-subj",
                        "/CN=" + name,
                        "-keyout",
                        file(name + ".key").toString(),
                        "-out",
                        file(name + ".crt").toString()),
                Map.of());
    }

    private Path file(String name) {
        return folder.resolve(name);
    }
}
