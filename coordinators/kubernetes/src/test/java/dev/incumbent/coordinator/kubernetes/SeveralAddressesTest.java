package dev.incumbent.coordinator.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.servers.Command;
import dev.incumbent.servers.ServerCertificate;
import io.fabric8.kubernetes.client.Config;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A host name with two addresses, of which the second alone is an API server's. The JDK takes the name from the file {@code hosts} of the test's resources. The
 * certificate has the name, and none of the addresses.
 */
@Tag("field")
@Timeout(120)
class SeveralAddressesTest {
    private static final String HOST = "several.test";
    private static final Ask ASK = Ask.post("/apis", "{}");
    private static final long BOUND_NANOS = TimeUnit.SECONDS.toNanos(20);

    @TempDir
    private Path folder;

    @Test
    void anAddressThatRefusesConnectionsIsLeftForTheNext() throws Exception {
        assertThat(InetAddress.getAllByName(HOST))
                .extracting(InetAddress::getHostAddress)
                .containsExactly("127.0.0.3", "127.0.0.1");
        try (ServerCertificate certificate = ServerCertificate.naming("DNS:" + HOST);
                CertificateServer server = new CertificateServer(certificate, 0, "client");
                Transport transport = open(server.port(), certificate)) {
            assertThat(transport.send(ASK, BOUND_NANOS).join()).isEqualTo(new Answer(200, "{}"));
            assertThat(transport.send(ASK, BOUND_NANOS).join()).isEqualTo(new Answer(200, "{}"));
            assertThat(server.shown()).containsExactly("client", "client");
        }
    }

    @Test
    void aStreamComesFromTheNextAddressPieceByPiece() throws Exception {
        try (ServerCertificate certificate = ServerCertificate.naming("DNS:" + HOST);
                CertificateServer server = new CertificateServer(certificate, 0, "client");
                Transport transport = open(server.port(), certificate)) {
            StringBuilder read = new StringBuilder();

            var answer = transport.stream(ASK, BOUND_NANOS, bytes -> read.append(text(bytes)))
                    .join();
            answer.body().consume();
            answer.body().done().join();

            assertThat(answer.code()).isEqualTo(200);
            assertThat(read).hasToString("{}");
        }
    }

    private static String text(ByteBuffer bytes) {
        return StandardCharsets.UTF_8.decode(bytes).toString();
    }

    private Transport open(int port, ServerCertificate authority) throws Exception {
        Path key = folder.resolve("client.key");
        Path certificate = folder.resolve("client.crt");
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
                        "/CN=client",
                        "-keyout",
                        key.toString(),
                        "-out",
                        certificate.toString()),
                Map.of());
        Path kubeconfig = Files.writeString(
                folder.resolve("config"),
                String.join(
                        "\n",
                        "apiVersion: v1",
                        "kind: Config",
                        "clusters: [{name: c, cluster: {server: 'https://" + HOST + ":" + port
                                + "', certificate-authority: '" + authority.file() + "'}}]",
                        "contexts: [{name: x, context: {cluster: c, user: u, namespace: ns}}]",
                        "current-context: x",
                        "users: [{name: u, user: {client-certificate: '" + certificate + "', client-key: '" + key
                                + "'}}]",
                        ""));
        Config config = Config.fromKubeconfig(null, kubeconfig.toFile());
        config.setRequestRetryBackoffLimit(0);
        config.setHttp2Disable(true);
        return Transport.open(config, () -> 0);
    }
}
