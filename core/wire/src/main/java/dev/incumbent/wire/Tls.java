package dev.incumbent.wire;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** TLS as a client, with the certificates of PEM files: they are read again when they change, so that who renews them restarts nothing. Thread-safe. */
public final class Tls {
    private static final char[] NO_PASSWORD = {};

    private final SSLContext context;

    private Tls(SSLContext context) {
        this.context = context;
    }

    /** A client's own certificate, with what signed it, and its key (PKCS 8). */
    public record Identity(Path certificate, Path key) {}

    /** Trusts the authorities of a file, or where none is named those that this JVM trusts. Fails where the file cannot be read. */
    public static Tls trusting(Optional<Path> authorities) throws IOException, GeneralSecurityException {
        return authorities.isEmpty()
                ? new Tls(SSLContext.getDefault())
                : new Tls(context(new KeyManager[0], trust(authorities)));
    }

    /** The same, and shows who it is. */
    public static Tls trusting(Optional<Path> authorities, Identity own) throws IOException, GeneralSecurityException {
        return new Tls(context(keys(own), trust(authorities)));
    }

    public SSLContext context() {
        return context;
    }

    /** Speaks TLS over a connection; blocks until both sides agree. The server's certificate must be trusted and name that host. */
    public SSLSocket over(Socket plain, String host, int port) throws IOException {
        SSLSocket secured = (SSLSocket) context.getSocketFactory().createSocket(plain, host, port, true);
        SSLParameters parameters = secured.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        secured.setSSLParameters(parameters);
        secured.startHandshake();
        return secured;
    }

    private static SSLContext context(KeyManager[] keys, TrustManager[] trust) throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys, trust, null);
        return context;
    }

    private static TrustManager[] trust(Optional<Path> file) throws IOException, GeneralSecurityException {
        if (file.isEmpty()) {
            return new TrustManager[] {
                only(X509ExtendedTrustManager.class, factory(Optional.empty()).getTrustManagers())
            };
        }
        Path authorities = file.get();
        return new TrustManager[] {
            new RereadTrust(new Reread<>(
                    List.of(authorities),
                    () -> only(
                            X509ExtendedTrustManager.class,
                            factory(Optional.of(authorities(authorities))).getTrustManagers())))
        };
    }

    private static TrustManagerFactory factory(Optional<KeyStore> authorities) throws GeneralSecurityException {
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        KeyStore store = null; // those of this JVM
        if (authorities.isPresent()) {
            store = authorities.get();
        }
        trust.init(store);
        return trust;
    }

    private static KeyStore authorities(Path file) throws IOException, GeneralSecurityException {
        KeyStore store = empty();
        int count = 0;
        for (Certificate authority : certificates(file)) {
            store.setCertificateEntry("authority-" + count++, authority);
        }
        return store;
    }

    private static KeyManager[] keys(Identity own) throws IOException, GeneralSecurityException {
        return new KeyManager[] {
            new RereadIdentity(new Reread<>(List.of(own.certificate(), own.key()), () -> identity(own)))
        };
    }

    private static X509ExtendedKeyManager identity(Identity own) throws IOException, GeneralSecurityException {
        KeyStore store = empty();
        Certificate[] chain = certificates(own.certificate()).toArray(new Certificate[0]);
        store.setKeyEntry("client", key(own.key()), NO_PASSWORD, chain);
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, NO_PASSWORD);
        return only(X509ExtendedKeyManager.class, keys.getKeyManagers());
    }

    private static <T> T only(Class<T> kind, Object[] managers) {
        return Arrays.stream(managers)
                .filter(kind::isInstance)
                .map(kind::cast)
                .findFirst()
                .orElseThrow();
    }

    private static KeyStore empty() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        return store;
    }

    private static Collection<? extends Certificate> certificates(Path file)
            throws IOException, GeneralSecurityException {
        try (InputStream in = Files.newInputStream(file)) {
            return CertificateFactory.getInstance("X.509").generateCertificates(in);
        }
    }

    private static Key key(Path file) throws IOException, GeneralSecurityException {
        String text = Files.readString(file, StandardCharsets.US_ASCII);
        int begin = text.indexOf("-----BEGIN PRIVATE KEY-----");
        int end = text.indexOf("-----END PRIVATE KEY-----");
        if (begin < 0 || end < begin) {
            throw new InvalidKeySpecException(
                    file + " has no key in PKCS 8 (BEGIN PRIVATE KEY); openssl pkcs8 -topk8 -nodes makes one");
        }
        byte[] bytes = Base64.getMimeDecoder().decode(text.substring(begin + 27, end));
        PKCS8EncodedKeySpec spec = new PKCS8EncodedKeySpec(bytes);
        try {
            return KeyFactory.getInstance("RSA").generatePrivate(spec);
        } catch (InvalidKeySpecException notRsa) {
            return KeyFactory.getInstance("EC").generatePrivate(spec);
        }
    }
}
