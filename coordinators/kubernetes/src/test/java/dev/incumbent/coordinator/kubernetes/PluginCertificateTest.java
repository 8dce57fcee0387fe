package dev.incumbent.coordinator.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.servers.ClientAuthority;
import dev.incumbent.servers.ClientAuthority.Signed;
import dev.incumbent.servers.KubeApiServer;
import dev.incumbent.servers.ServerCertificate;
import dev.incumbent.servers.TemporaryFolder;
import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Client certificates of a credential plugin. It prints what its file holds, and writes down that it ran. */
@Tag("field")
@Timeout(240)
class PluginCertificateTest {
    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration PAUSE = Duration.ofMillis(50);
    private static final int MOST_TRIES = 2_000;
    private static final Answer OK = new Answer(200, "{}");
    private static final Ask ASK = Ask.get("/apis");
    private static final Ask LEASES = Ask.get("/apis/coordination.k8s.io/v1/namespaces/default/leases");

    private final TemporaryFolder folder = TemporaryFolder.create("kube-plugin");
    private final ServerCertificate certificate = ServerCertificate.create();
    private final ClientAuthority authority = ClientAuthority.create();
    private final AtomicLong nanos = new AtomicLong();

    @BeforeEach
    void plugin() throws IOException {
        Files.writeString(file("runs"), "");
        Path plugin = Files.writeString(
                file("plugin"),
                String.join("\n", "#!/bin/sh", "echo ran >> " + file("runs"), "cat " + file("credential"), ""));
        Files.setPosixFilePermissions(plugin, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @AfterEach
    void close() {
        authority.close();
        certificate.close();
        folder.close();
    }

    @Test
    void aCertificateThatIsRefusedIsHadAnewAndTheRequestSentAgain() throws Exception {
        returns(authority.sign("/CN=old", DAY));
        try (CertificateServer server = new CertificateServer(certificate, 0, "old");
                Transport transport = open(server.port(), certificate.file())) {
            assertThat(send(transport, ASK)).isEqualTo(OK);
            returns(authority.sign("/CN=renewed", DAY));
            server.counts("renewed");

            assertThat(send(transport, ASK)).isEqualTo(OK);

            assertThat(send(transport, ASK)).isEqualTo(OK);
            assertThat(server.shown()).containsExactly("old", "old", "renewed", "renewed");
            assertThat(runs()).isEqualTo(2);
            assertThat(transport.credentialsTrouble()).isEmpty();
        }
    }

    @Test
    void aCertificateIsHadAnewEveryMinute() throws Exception {
        returns(authority.sign("/CN=old", DAY));
        try (CertificateServer server = new CertificateServer(certificate, 0, "old");
                Transport transport = open(server.port(), certificate.file())) {
            returns(authority.sign("/CN=renewed", DAY));
            nanos.set(TimeUnit.SECONDS.toNanos(59));
            assertThat(send(transport, ASK)).isEqualTo(OK);
            assertThat(runs()).isEqualTo(1);
            nanos.set(TimeUnit.SECONDS.toNanos(60));

            for (int tries = 0; !server.shown().contains("renewed"); tries++) {
                assertThat(tries).as("requests with the old certificate").isLessThan(MOST_TRIES);
                send(transport, ASK);
            }

            assertThat(server.shown()).startsWith("old", "old");
        }
    }

    @Test
    void aCertificateThatCannotBeUsedLeavesTheOneBefore() throws Exception {
        Signed old = authority.sign("/CN=old", DAY);
        Signed renewed = authority.sign("/CN=renewed", DAY);
        returns(old);
        try (CertificateServer server = new CertificateServer(certificate, 0, "renewed");
                Transport transport = open(server.port(), certificate.file())) {
            returns(new Signed(renewed.certificate(), old.key()));

            assertThat(send(transport, ASK).code()).isEqualTo(401);

            assertThat(server.shown()).containsExactly("old");
            assertThat(transport.credentialsTrouble())
                    .startsWith("; the certificate that the credential plugin returned cannot be used: ")
                    .endsWith("the key is not that of the certificate");
            returns(renewed);
            assertThat(send(transport, ASK)).isEqualTo(OK);
            assertThat(transport.credentialsTrouble()).isEmpty();
        }
    }

    @Test
    void aCertificateThatCannotBeUsedHoldsUpNoOtherRenewal() throws Exception {
        Signed old = authority.sign("/CN=old", DAY);
        returns(old);
        Path authorities = Files.copy(certificate.file(), file("ca.crt"));
        try (CertificateServer server = new CertificateServer(certificate, 0, "renewed");
                Transport transport = open(server.port(), authorities)) {
            returns(new Signed(authority.sign("/CN=renewed", DAY).certificate(), old.key()));
            assertThat(send(transport, ASK).code()).isEqualTo(401);
            server.counts("old");
            assertThat(transport.credentialsTrouble()).isNotEmpty();

            Files.writeString(authorities, "\n", StandardOpenOption.APPEND);

            for (int tries = 0; !transport.credentialsTrouble().isEmpty(); tries++) {
                assertThat(tries).as(transport.credentialsTrouble()).isLessThan(MOST_TRIES);
                assertThat(send(transport, ASK)).isEqualTo(OK);
            }
        }
    }

    /** Where a plugin has nothing to return any longer, no request is sent twice. */
    @Test
    void aPluginThatFailsLeavesTheCertificateBefore() throws Exception {
        returns(authority.sign("/CN=old", DAY));
        try (CertificateServer server = new CertificateServer(certificate, 0, "renewed");
                Transport transport = open(server.port(), certificate.file())) {
            Files.delete(file("credential"));

            assertThat(send(transport, ASK).code()).isEqualTo(401);
            server.counts("old");

            assertThat(send(transport, ASK)).isEqualTo(OK);
            assertThat(server.shown()).containsExactly("old", "old");
            assertThat(runs()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void keysOfEachKindAreShownAtTheOpeningAndLaterAndOutOfFiles(ClientAuthority.Kind kind) throws Exception {
        returns(authority.sign("/CN=old", DAY));
        Signed renewed = authority.sign("/CN=renewed", DAY, kind);
        try (CertificateServer server = new CertificateServer(certificate, 0, "renewed");
                Transport transport = open(server.port(), certificate.file())) {
            returns(renewed);
            assertThat(send(transport, ASK))
                    .as(() -> transport.credentialsTrouble())
                    .isEqualTo(OK);

            try (Transport another = open(server.port(), certificate.file())) {
                assertThat(send(another, ASK)).isEqualTo(OK);
            }
            String files = "client-certificate: '" + renewed.certificate() + "', client-key: '" + renewed.key() + "'";
            try (Transport another = open(server.port(), certificate.file(), files)) {
                assertThat(send(another, ASK)).isEqualTo(OK);
            }
        }
    }

    /** The certificate really runs out, before a real API server, which judges it with each request. */
    @Test
    void aCertificateThatRunsOutBeforeAnApiServerIsHadAnew() throws Exception {
        SharedServer.assumeBuilt();
        try (KubeApiServer server = KubeApiServer.startTrusting(authority)) {
            Signed runsOut = authority.sign("/O=system:masters/CN=old", Duration.ofSeconds(20));
            returns(runsOut);
            try (Transport transport = open(server.port(), server.certificate())) {
                returns(authority.sign("/O=system:masters/CN=renewed", DAY));

                for (int tries = 0; runs() == 1; tries++) {
                    assertThat(tries).as("requests before it ran out").isLessThan(MOST_TRIES);
                    assertThat(send(transport, LEASES).code()).isEqualTo(200);
                    LockSupport.parkNanos(PAUSE.toNanos());
                }

                assertThat(send(transport, LEASES).code()).isEqualTo(200);
                assertThat(runs()).isEqualTo(2);
            }
            returns(runsOut);
            try (Transport stale = open(server.port(), server.certificate())) {
                assertThat(send(stale, LEASES).code()).isEqualTo(401);
            }
        }
    }

    private static Answer send(Transport transport, Ask ask) {
        return transport
                .send(ask, TimeUnit.SECONDS.toNanos(60))
                .orTimeout(120, TimeUnit.SECONDS)
                .join();
    }

    private Transport open(int port, Path authorities) throws IOException {
        return open(
                port,
                authorities,
                "exec: {apiVersion: client.authentication.k8s.io/v1, command: '" + file("plugin")
                        + "', interactiveMode: Never}");
    }

    private Transport open(int port, Path authorities, String user) throws IOException {
        Path kubeconfig = Files.writeString(
                file("config"),
                String.join(
                        "\n",
                        "apiVersion: v1",
                        "kind: Config",
                        "clusters: [{name: c, cluster: {server: 'https://127.0.0.1:" + port
                                + "', certificate-authority: '" + authorities + "'}}]",
                        "contexts: [{name: x, context: {cluster: c, user: u, namespace: ns}}]",
                        "current-context: x",
                        "users: [{name: u, user: {" + user + "}}]",
                        ""));
        Config config = Config.fromKubeconfig(null, kubeconfig.toFile());
        config.setRequestRetryBackoffLimit(0);
        config.setHttp2Disable(true);
        config.setRequestTimeout(60_000);
        return Transport.open(config, nanos::get);
    }

    private void returns(Signed signed) throws IOException {
        Path fresh = Files.writeString(
                file("fresh"),
                "{\"apiVersion\":\"client.authentication.k8s.io/v1\",\"kind\":\"ExecCredential\",\"status\":{"
                        + "\"clientCertificateData\":\"" + text(signed.certificate()) + "\",\"clientKeyData\":\""
                        + text(signed.key()) + "\"}}\n");
        Files.move(fresh, file("credential"), StandardCopyOption.REPLACE_EXISTING);
    }

    private static String text(Path pem) throws IOException {
        return Files.readString(pem).replace("\n", "\\n");
    }

    private int runs() throws IOException {
        return Files.readAllLines(file("runs")).size();
    }

    private Path file(String name) {
        return folder.resolve(name);
    }
}
