package dev.incumbent.coordinator.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.servers.Command;
import dev.incumbent.servers.ServerCertificate;
import dev.incumbent.servers.TcpProxy;
import dev.incumbent.servers.Waiting;
import io.fabric8.kubernetes.client.Config;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
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
    @Tag("patient")
    void requestsToTheNextAddressShareAConnectionUntilTheCertificateIsRenewed() throws Exception {
        try (ServerCertificate certificate = ServerCertificate.naming("DNS:" + HOST);
                CertificateServer server = new CertificateServer(certificate, 0, "client");
                TcpProxy second = TcpProxy.to(server.port());
                Transport transport = open(second.port(), certificate)) {
            for (int i = 0; i < 5; i++) {
                assertThat(transport.send(ASK, BOUND_NANOS).join().code()).isEqualTo(200);
            }
            assertThat(second.accepted()).isEqualTo(1);

            server.counts("renewed");
            make("renewed");
            for (String kind : List.of(".key", ".crt")) {
                Files.move(
                        folder.resolve("renewed" + kind),
                        folder.resolve("client" + kind),
                        StandardCopyOption.REPLACE_EXISTING);
            }

            Waiting.until(
                    "an answer for the renewed certificate",
                    () -> transport.send(ASK, BOUND_NANOS).join().code() == 200);
            Waiting.until("the end of the connection of the old one", () -> second.connections() == 1);
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
        make("client");
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
                        "users: [{name: u, user: {client-certificate: '" + folder.resolve("client.crt")
                                + "', client-key: '" + folder.resolve("client.key") + "'}}]",
                        ""));
        Config config = Config.fromKubeconfig(null, kubeconfig.toFile());
        config.setRequestRetryBackoffLimit(0);
        config.setHttp2Disable(true);
        return Transport.open(config, () -> 0);
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
                        folder.resolve(name + ".key").toString(),
                        "-out",
                        folder.resolve(name + ".crt").toString()),
                Map.of());
    }
}
