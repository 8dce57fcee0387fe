package dev.incumbent.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.spec.InvalidKeySpecException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Handshakes with a server of the test's, whose certificate, or whose idea of ours, changes. */
@Timeout(120)
class TlsTest {
    private static final char[] PASSWORD = "password".toCharArray();

    @TempDir
    private Path folder;

    @Test
    void anAuthorityIsTrustedAsSoonAsItsFileNamesIt() throws Exception {
        KeyStore old = made("old");
        KeyStore renewed = made("renewed");
        Path authorities = certificateOf(old, "ca.pem");
        Tls tls = Tls.trusting(Optional.of(authorities));

        assertThat(greeted(tls, old, Optional.empty())).isEqualTo("hello");
        assertThatThrownBy(() -> greeted(tls, renewed, Optional.empty())).isInstanceOf(SSLException.class);

        replace(authorities, certificateOf(renewed, "new.pem"));
        assertThat(greeted(tls, renewed, Optional.empty())).isEqualTo("hello");
        assertThatThrownBy(() -> greeted(tls, old, Optional.empty())).isInstanceOf(SSLException.class);
    }

    @Test
    void whileAFileIsBeingReplacedWhatItSaidBeforeHolds() throws Exception {
        KeyStore old = made("old");
        Path authorities = certificateOf(old, "ca.pem");
        Tls tls = Tls.trusting(Optional.of(authorities));

        Files.writeString(authorities, "-----BEGIN CERTIFICATE-----\nMII");
        assertThat(greeted(tls, old, Optional.empty())).isEqualTo("hello");
        Files.delete(authorities);
        assertThat(greeted(tls, old, Optional.empty())).isEqualTo("hello");

        KeyStore renewed = made("renewed");
        replace(authorities, certificateOf(renewed, "new.pem"));
        assertThat(greeted(tls, renewed, Optional.empty())).isEqualTo("hello");
    }

    @Test
    void theCertificateThatWeShowIsThatOfItsFileToday() throws Exception {
        KeyStore server = made("server");
        KeyStore old = made("old");
        KeyStore renewed = made("renewed");
        Path certificate = certificateOf(old, "client.pem");
        Path key = keyOf(old, "client.key");
        Tls tls = Tls.trusting(Optional.of(certificateOf(server, "ca.pem")), new Tls.Identity(certificate, key));

        assertThat(greeted(tls, server, Optional.of(old))).isEqualTo("hello");
        assertThatThrownBy(() -> greeted(tls, server, Optional.of(renewed))).isInstanceOf(IOException.class);

        replace(certificate, certificateOf(renewed, "new.pem"));
        assertThatThrownBy(() -> greeted(tls, server, Optional.of(renewed)))
                .as("the key is still the old one's")
                .isInstanceOf(IOException.class);
        assertThat(greeted(tls, server, Optional.of(old))).isEqualTo("hello");
        replace(key, keyOf(renewed, "new.key"));
        assertThat(greeted(tls, server, Optional.of(renewed))).isEqualTo("hello");
    }

    @Test
    void aServerWhoseCertificateNamesAnotherHostIsNotTrusted() throws Exception {
        KeyStore server = made("server");
        Tls tls = Tls.trusting(Optional.of(certificateOf(server, "ca.pem")));

        assertThat(greeted(tls, server, Optional.empty(), "localhost")).isEqualTo("hello");
        assertThatThrownBy(() -> greeted(tls, server, Optional.empty(), "elsewhere.example"))
                .isInstanceOf(SSLException.class)
                .hasMessageContaining("elsewhere.example");
    }

    @Test
    void withoutAFileOfOursThisJvmsAuthoritiesAreTrustedAlone() throws Exception {
        KeyStore server = made("server");
        KeyStore client = made("client");
        Tls.Identity own = new Tls.Identity(certificateOf(client, "c.pem"), keyOf(client, "c.key"));

        for (Tls tls : List.of(Tls.trusting(Optional.empty()), Tls.trusting(Optional.empty(), own))) {
            assertThatThrownBy(() -> greeted(tls, server, Optional.empty())).isInstanceOf(SSLException.class);
        }
    }

    @Test
    void aFileMayNameSeveralAuthorities() throws Exception {
        KeyStore one = made("one");
        KeyStore two = made("two");
        Path both = Files.writeString(
                folder.resolve("both.pem"),
                Files.readString(certificateOf(one, "1.pem")) + Files.readString(certificateOf(two, "2.pem")));
        Tls tls = Tls.trusting(Optional.of(both));

        assertThat(greeted(tls, one, Optional.empty())).isEqualTo("hello");
        assertThat(greeted(tls, two, Optional.empty())).isEqualTo("hello");
    }

    @Test
    void whatCannotBeReadAtFirstIsRefused() throws Exception {
        Path nothing = folder.resolve("nothing");
        Path noKey = certificateOf(made("x"), "x.pem");

        assertThatThrownBy(() -> Tls.trusting(Optional.of(nothing))).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> Tls.trusting(Optional.empty(), new Tls.Identity(noKey, noKey)))
                .hasMessageContaining("has no key in PKCS 8");
    }

    @Test
    void aFileWithoutACertificateIsRefused() throws Exception {
        Path empty = Files.writeString(folder.resolve("empty.pem"), "");
        Path key = keyOf(made("x"), "x.key");

        assertThatThrownBy(() -> Tls.authorities(empty))
                .isInstanceOf(CertificateException.class)
                .hasMessage(empty + " holds no certificate");
        assertThatThrownBy(() -> Tls.identity(new Tls.Identity(empty, key)))
                .isInstanceOf(CertificateException.class)
                .hasMessage(empty + " holds no certificate");
    }

    @Test
    void aKeyThatDoesNotEndIsRefused() throws Exception {
        KeyStore own = made("own");
        Path cutOff = Files.writeString(
                folder.resolve("cut.key"),
                Files.readString(keyOf(own, "own.key")).replace("-----END", ""));
        Tls.Identity identity = new Tls.Identity(certificateOf(own, "own.pem"), cutOff);

        assertThatThrownBy(() -> Tls.identity(identity))
                .isInstanceOf(InvalidKeySpecException.class)
                .hasMessageContaining(cutOff + " has no key in PKCS 8");
    }

    @Test
    void aKeyThatIsNotThatOfTheCertificateIsRefused() throws Exception {
        Tls.Identity mixed =
                new Tls.Identity(certificateOf(made("one"), "one.pem"), keyOf(made("another"), "another.key"));

        assertThatThrownBy(() -> Tls.identity(mixed))
                .isInstanceOf(KeyException.class)
                .hasMessage("the key " + mixed.key() + " is not that of the certificate " + mixed.certificate());
    }

    @Test
    void whomWeDoNotTrustIsRefusedBeforeAnythingIsReadOrWritten() throws Exception {
        KeyStore unknown = made("unknown");
        SSLContext server = contextOf(unknown, unknown);
        Tls tls = Tls.trusting(Optional.of(certificateOf(made("another"), "ca.pem")));
        List<Socket> agreed = new ArrayList<>();

        assertThatThrownBy(() -> greeted(server, false, (plain, port) -> {
                    agreed.add(tls.over(plain, "localhost", port));
                    return agreed.get(0);
                }))
                .isInstanceOf(SSLException.class);

        assertThat(agreed).isEmpty();
    }

    @Test
    void theContextsOfBothEndsShowAndTrustWhatTheirFilesHold() throws Exception {
        KeyStore server = made("server");
        KeyStore client = made("client");
        Path servers = certificateOf(server, "server.pem");
        Path clients = certificateOf(client, "client.pem");
        Tls.Identity ofServer = new Tls.Identity(servers, keyOf(server, "server.key"));
        Tls.Identity ofClient = new Tls.Identity(clients, keyOf(client, "client.key"));

        SSLContext serving = Tls.context(Tls.identity(ofServer), Tls.authorities(clients));
        SSLContext known = Tls.trusting(Optional.of(servers), ofClient).context();
        SSLContext unknown = Tls.trusting(Optional.of(servers)).context();

        assertThat(greeted(serving, true, through(known))).isEqualTo("hello");
        assertThatThrownBy(() -> greeted(serving, true, through(unknown))).isInstanceOf(IOException.class);
    }

    private static Securing through(SSLContext client) {
        return (plain, port) -> client.getSocketFactory().createSocket(plain, "localhost", port, true);
    }

    /** What a server of that certificate says to us, who may ask for a client's. */
    private static String greeted(Tls tls, KeyStore server, Optional<KeyStore> wanted) throws Exception {
        return greeted(tls, server, wanted, "localhost");
    }

    private static String greeted(Tls tls, KeyStore server, Optional<KeyStore> wanted, String host) throws Exception {
        return greeted(
                contextOf(server, wanted.orElse(server)),
                wanted.isPresent(),
                (plain, port) -> tls.over(plain, host, port));
    }

    private static SSLContext contextOf(KeyStore shown, KeyStore trusted) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(shown, PASSWORD);
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    /** How we come to speak TLS over a connection. */
    private interface Securing {
        Socket over(Socket plain, int port) throws IOException;
    }

    private static String greeted(SSLContext server, boolean asksForACertificate, Securing ours) throws Exception {
        InetAddress here = InetAddress.getLoopbackAddress();
        try (SSLServerSocket listening =
                (SSLServerSocket) server.getServerSocketFactory().createServerSocket(0, 1, here)) {
            listening.setNeedClientAuth(asksForACertificate);
            CompletableFuture<Void> serving = CompletableFuture.runAsync(() -> greetOne(listening));
            try (Socket plain = new Socket(here, listening.getLocalPort());
                    Socket secured = ours.over(plain, listening.getLocalPort())) {
                return new String(secured.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            } finally {
                serving.join();
            }
        }
    }

    private static void greetOne(SSLServerSocket listening) {
        try (Socket client = listening.accept()) {
            client.getOutputStream().write("hello".getBytes(StandardCharsets.UTF_8));
        } catch (IOException refused) {
            // The client sees it, too.
        }
    }

    /** By openssl: keytool starts a JVM each time. */
    private KeyStore made(String name) throws Exception {
        Path key = folder.resolve(name + ".key.pem");
        Path certificate = folder.resolve(name + ".certificate.pem");
        Path pair = folder.resolve(name + ".p12");
        openssl("req -x509 -days 30 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=" + name
                + " -addext subjectAltName=DNS:localhost -keyout " + key + " -out " + certificate);
        openssl("pkcs12 -export -name one -inkey " + key + " -in " + certificate + " -passout pass:"
                + new String(PASSWORD) + " -out " + pair);
        KeyStore read = KeyStore.getInstance(pair.toFile(), PASSWORD);
        read.setCertificateEntry("trusted", read.getCertificate("one"));
        return read;
    }

    private static void openssl(String words) throws Exception {
        Process process = new ProcessBuilder(("openssl " + words).split(" ", -1))
                .redirectErrorStream(true)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(printed).isZero();
    }

    private Path certificateOf(KeyStore pair, String name) throws Exception {
        return pem(name, "CERTIFICATE", pair.getCertificate("one").getEncoded());
    }

    private Path keyOf(KeyStore pair, String name) throws Exception {
        return pem(name, "PRIVATE KEY", pair.getKey("one", PASSWORD).getEncoded());
    }

    private Path pem(String name, String what, byte[] bytes) throws IOException {
        String text = Base64.getMimeEncoder().encodeToString(bytes);
        return Files.writeString(
                folder.resolve(name), "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n");
    }

    private static void replace(Path file, Path by) throws IOException {
        Files.move(by, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }
}
