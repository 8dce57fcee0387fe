package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.model.ElectionName;
import dev.incumbent.servers.TemporaryFolder;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** With certificates, clients and nodes speak TLS alone, and each checks who the other is. */
@Tag("realtime")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Execution(ExecutionMode.SAME_THREAD)
@ResourceLock(NodesHere.ONE_AT_A_TIME)
final class TlsTest {
    /** The first handshakes of a JVM take seconds on a busy machine. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final int LONGEST_MILLIS = 20_000;

    private final TemporaryFolder folder = TemporaryFolder.create("tls");
    private final TlsFiles ours = new TlsFiles(folder.path(), "ours");
    private final TlsFiles theirs = new TlsFiles(folder.path(), "theirs");
    private final Certificates certificates = ours.certificate("node", "IP:127.0.0.1");
    private NodesHere nodes;

    @BeforeAll
    void start() {
        nodes = NodesHere.start(new NodesHere.Access(NodesHere.Access.oneForAll("token"), Optional.of(certificates)));
    }

    @AfterAll
    void stop() {
        nodes.close();
        folder.close();
    }

    @Test
    void aClientThatTrustsTheAuthorityIsServed() throws IOException {
        assertThat(created(nodes.uri(), "tls-ca=" + ours.authority())).isInstanceOf(Swap.Accepted.class);
    }

    /** Which takes a call that a node passes on to the leader, over TLS too. */
    @Test
    void everyNodeTakesCalls() throws IOException {
        for (Member member : nodes.members()) {
            assertThat(created(nodes.uri(member.name()), "tls-ca=" + ours.authority()))
                    .isInstanceOf(Swap.Accepted.class);
        }
    }

    @Test
    void aClientThatTrustsAnotherAuthoritySaysSo() {
        assertThatThrownBy(() -> created(nodes.uri(), "tls-ca=" + theirs.authority()))
                .isInstanceOf(CoordinatorException.class)
                .hasMessageContaining("127.0.0.1:")
                .hasMessageContaining("certification path");
        assertThatThrownBy(() -> created(nodes.uri(), "tls=true"))
                .isInstanceOf(CoordinatorException.class)
                .hasMessageContaining("certification path");
    }

    @Test
    void aNodeUnderAnotherNameIsNotBelieved() {
        assertThatThrownBy(() -> created(nodes.uri().replace("127.0.0.1", "localhost"), "tls-ca=" + ours.authority()))
                .isInstanceOf(CoordinatorException.class)
                .hasMessageContaining("localhost");
    }

    @Test
    void aClientThatSpeaksPlainIsToldToTryTls() {
        assertThatThrownBy(() -> created(nodes.uri(), "")).hasMessageContaining("?tls=true");
    }

    @Test
    void anAuthorityThatIsNoCertificateIsOneSentence() throws IOException {
        Path nonsense = Files.writeString(folder.resolve("nonsense.pem"), "nonsense");

        assertThatThrownBy(() -> created(nodes.uri(), "tls-ca=" + nonsense))
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessageContaining(nonsense.toString());
    }

    @Test
    void betweenNodesOnlyTheAuthoritysCertificatesAreTaken() throws IOException, GeneralSecurityException {
        assertThat(firstByte(certificates.context())).isNotNegative();
        assertThatThrownBy(() -> firstByte(trusting(ours.authority()))).isInstanceOf(SSLException.class);
        Certificates stranger = theirs.certificate("stranger", "IP:127.0.0.1");
        Certificates forged = new Certificates(stranger.chain(), stranger.key(), ours.authority());
        assertThatThrownBy(() -> firstByte(forged.context())).isInstanceOf(SSLException.class);
    }

    @Test
    void filesThatAreNoneOfThisKindAreNamed() throws IOException {
        Path absent = folder.resolve("absent.pem");

        assertRefused(new Certificates(absent, certificates.key(), certificates.authorities()), absent);
        assertRefused(new Certificates(certificates.chain(), absent, certificates.authorities()), absent);
        assertRefused(
                new Certificates(certificates.chain(), certificates.chain(), certificates.authorities()),
                certificates.chain());
        Path empty = Files.createFile(folder.resolve("empty.pem"));
        assertRefused(new Certificates(certificates.chain(), certificates.key(), empty), empty);
    }

    private static void assertRefused(Certificates files, Path named) {
        assertThatThrownBy(files::context)
                .isInstanceOf(NodeRefusal.class)
                .hasMessageContaining(named.toString())
                .hasMessageNotContaining("PRIVATE KEY-----");
    }

    private Swap created(String uri, String tls) throws IOException {
        Path token = Files.writeString(folder.resolve("token"), "token");
        Coordinator client = nodes.open(uri + "?token-file=" + token + (tls.isEmpty() ? "" : "&" + tls), PATIENCE);
        return Calling.created(client, new ElectionName("tls/" + UUID.randomUUID()));
    }

    /** What the Raft port of a node says first to who connects so. */
    private int firstByte(SSLContext as) throws IOException {
        Member node = nodes.member("n2");
        try (Socket raw = new Socket(node.host(), node.raftPort());
                SSLSocket socket =
                        (SSLSocket) as.getSocketFactory().createSocket(raw, node.host(), node.raftPort(), true)) {
            socket.setSoTimeout(LONGEST_MILLIS);
            socket.setSSLParameters(speakingHttp2(socket.getSSLParameters()));
            socket.startHandshake();
            return socket.getInputStream().read();
        }
    }

    private static javax.net.ssl.SSLParameters speakingHttp2(javax.net.ssl.SSLParameters parameters) {
        parameters.setApplicationProtocols(new String[] {"h2"});
        return parameters;
    }

    /** Shows no certificate. */
    private static SSLContext trusting(Path authority) throws IOException, GeneralSecurityException {
        KeyStore known = KeyStore.getInstance(KeyStore.getDefaultType());
        known.load(null, null);
        try (InputStream in = Files.newInputStream(authority)) {
            known.setCertificateEntry(
                    "authority", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(known);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }
}
