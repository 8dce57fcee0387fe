package dev.incumbent.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever TLS asks, whoever was read last is asked: sockets, engines, and both ends alike. */
class RereadManagersTest {
    private static final Principal[] NOBODY = {};

    @TempDir
    private Path folder;

    @Test
    void nobodyIsTrustedButByWhomTheFileNamesNow() throws Exception {
        AtomicInteger reads = new AtomicInteger();
        Path file = Files.writeString(folder.resolve("ca.pem"), "1");
        RereadTrust trust = new RereadTrust(new Reread<>(List.of(file), () -> new Distrust(reads.incrementAndGet())));

        for (Method asked : RereadTrust.class.getDeclaredMethods()) {
            if (asked.getName().startsWith("check") && Modifier.isPublic(asked.getModifiers())) {
                assertThatExceptionOfType(CertificateException.class)
                        .as(asked.toString())
                        .isThrownBy(() -> call(trust, asked))
                        .withMessage("distrusted by 1: " + shape(asked));
            }
        }
        assertThat(trust.getAcceptedIssuers()).hasSize(1);
        Files.writeString(file, "another");
        assertThat(trust.getAcceptedIssuers()).hasSize(2);
        assertThat(reads).hasValue(2);
    }

    private static Object call(Object manager, Method asked) throws Throwable {
        try {
            return asked.invoke(
                    manager,
                    Arrays.stream(asked.getParameterTypes())
                            .map(type -> type == String.class
                                    ? "kind"
                                    : type.isArray() ? Array.newInstance(type.getComponentType(), 0) : null)
                            .toArray());
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }

    /** Which of the methods of one name it is. */
    private static String shape(Method asked) {
        Class<?>[] types = asked.getParameterTypes();
        return asked.getName() + (types.length < 3 ? "" : " " + types[2].getSimpleName());
    }

    @Test
    void whatIsShownIsWhatTheFileHasNow() throws IOException, NoSuchAlgorithmException {
        AtomicInteger reads = new AtomicInteger();
        Path file = Files.writeString(folder.resolve("client.pem"), "1");
        RereadIdentity shown =
                new RereadIdentity(new Reread<>(List.of(file), () -> new Numbered(reads.incrementAndGet())));

        assertShows(shown, 1);
        Files.writeString(file, "another");
        assertShows(shown, 2);
        assertThat(reads).hasValue(2);
    }

    private static void assertShows(RereadIdentity shown, int number) throws NoSuchAlgorithmException {
        SSLEngine engine = SSLContext.getDefault().createSSLEngine();
        assertThat(shown.chooseClientAlias(new String[0], NOBODY, new Socket())).isEqualTo("client " + number);
        assertThat(shown.chooseEngineClientAlias(new String[0], NOBODY, engine)).isEqualTo("engine's client " + number);
        assertThat(shown.chooseServerAlias("EC", NOBODY, new Socket())).isEqualTo("server " + number);
        assertThat(shown.chooseEngineServerAlias("EC", NOBODY, engine)).isEqualTo("engine's server " + number);
        assertThat(shown.getClientAliases("EC", NOBODY)).containsExactly("clients " + number);
        assertThat(shown.getServerAliases("EC", NOBODY)).containsExactly("servers " + number);
        assertThat(shown.getCertificateChain("one")).hasSize(number);
        assertThat(shown.getPrivateKey("one").getFormat()).isEqualTo("key " + number);
    }

    /** Trusts nobody, and says who it was that was asked. */
    private static final class Distrust extends X509ExtendedTrustManager {
        private final int number;

        Distrust(int number) {
            this.number = number;
        }

        private CertificateException by(String asked) {
            return new CertificateException("distrusted by " + number + ": " + asked);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            throw by("checkClientTrusted Socket");
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            throw by("checkServerTrusted Socket");
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            throw by("checkClientTrusted SSLEngine");
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            throw by("checkServerTrusted SSLEngine");
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
            throw by("checkClientTrusted");
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
            throw by("checkServerTrusted");
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[number];
        }
    }

    /** Shows its number. */
    private static final class Numbered extends X509ExtendedKeyManager {
        private final int number;

        Numbered(int number) {
            this.number = number;
        }

        @Override
        public String chooseClientAlias(String[] types, Principal[] issuers, Socket socket) {
            return "client " + number;
        }

        @Override
        public String chooseEngineClientAlias(String[] types, Principal[] issuers, SSLEngine engine) {
            return "engine's client " + number;
        }

        @Override
        public String chooseEngineServerAlias(String type, Principal[] issuers, SSLEngine engine) {
            return "engine's server " + number;
        }

        @Override
        public String chooseServerAlias(String type, Principal[] issuers, Socket socket) {
            return "server " + number;
        }

        @Override
        public String[] getClientAliases(String type, Principal[] issuers) {
            return new String[] {"clients " + number};
        }

        @Override
        public String[] getServerAliases(String type, Principal[] issuers) {
            return new String[] {"servers " + number};
        }

        @Override
        public X509Certificate[] getCertificateChain(String alias) {
            return new X509Certificate[number];
        }

        @Override
        public PrivateKey getPrivateKey(String alias) {
            return new PrivateKey() {
                private static final long serialVersionUID = 1;

                @Override
                public String getAlgorithm() {
                    return "none";
                }

                @Override
                public String getFormat() {
                    return "key " + number;
                }

                @Override
                public byte[] getEncoded() {
                    return new byte[0];
                }
            };
        }
    }
}
