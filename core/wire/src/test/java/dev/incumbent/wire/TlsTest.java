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
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
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

    /** What a server of that certificate says to us, who may ask for a client's. */
    private static String greeted(Tls tls, KeyStore server, Optional<KeyStore> wanted) throws Exception {
        return greeted(tls, server, wanted, "localhost");
    }

    private static String greeted(Tls tls, KeyStore server, Optional<KeyStore> wanted, String host) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(server, PASSWORD);
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(wanted.orElse(server));
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        InetAddress here = InetAddress.getLoopbackAddress();
        try (SSLServerSocket listening =
                (SSLServerSocket) context.getServerSocketFactory().createServerSocket(0, 1, here)) {
            listening.setNeedClientAuth(wanted.isPresent());
            CompletableFuture<Void> serving = CompletableFuture.runAsync(() -> greetOne(listening));
            try (Socket plain = new Socket(here, listening.getLocalPort());
                    SSLSocket secured = tls.over(plain, host, listening.getLocalPort())) {
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

    private KeyStore made(String name) throws Exception {
        Path file = folder.resolve(name + ".p12");
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "one",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=" + name,
                        "-ext",
                        "san=dns:localhost",
                        "-ext",
                        "bc=ca:true",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        new String(PASSWORD),
                        "-keystore",
                        file.toString()))
                .redirectErrorStream(true)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(printed).isZero();
        KeyStore pair = KeyStore.getInstance(file.toFile(), PASSWORD);
        pair.setCertificateEntry("trusted", pair.getCertificate("one"));
        return pair;
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
