package dev.incumbent.wire;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Map;
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

/** TLS with the certificates of PEM files: they are read again when they change, so that who renews them restarts nothing. Thread-safe. */
public final class Tls {
    private static final char[] NO_PASSWORD = {};
    private static final String BEGIN = "-----BEGIN PRIVATE KEY-----";
    private static final String END = "-----END PRIVATE KEY-----";
    /** The kinds of keys, and how each signs. */
    private static final Map<String, String> SIGNING =
            Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA", "EdDSA", "EdDSA");

    private static final byte[] PROBE = {1};

    private final SSLContext context;

    private Tls(SSLContext context) {
        this.context = context;
    }

    /** One's own certificate, with what signed it, and its key (PKCS 8). */
    public record Identity(Path certificate, Path key) {}

    /** Trusts the authorities of a file, or where none is named those that this JVM trusts. Fails where the file cannot be read. */
    public static Tls trusting(Optional<Path> authorities) throws IOException, GeneralSecurityException {
        return authorities.isEmpty()
                ? new Tls(SSLContext.getDefault())
                : new Tls(context(new KeyManager[0], new TrustManager[] {authorities(authorities.get())}));
    }

    /** The same, and shows who it is. */
    public static Tls trusting(Optional<Path> authorities, Identity own) throws IOException, GeneralSecurityException {
        return new Tls(context(new KeyManager[] {identity(own)}, new TrustManager[] {
            authorities.isPresent()
                    ? authorities(authorities.get())
                    : only(
                            X509ExtendedTrustManager.class,
                            factory(Optional.empty()).getTrustManagers())
        }));
    }

    public SSLContext context() {
        return context;
    }

    /** Speaks TLS over a connection; blocks until both sides agree. The server's certificate must be trusted and name that host. */
    public SSLSocket over(Socket plain, String host, int port) throws IOException {
        return over(context, plain, host, port);
    }

    static SSLSocket over(SSLContext context, Socket plain, String host, int port) throws IOException {
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

    /** Trusts whom a file names at the time of each handshake. Fails where it names nobody now. */
    public static X509ExtendedTrustManager authorities(Path file) throws IOException, GeneralSecurityException {
        return new RereadTrust(new Reread<>(
                List.of(file),
                () -> only(
                        X509ExtendedTrustManager.class,
                        factory(Optional.of(named(file))).getTrustManagers())));
    }

    /** Shows, on either side, what the files hold at the time of each handshake; while the key does not belong to the certificate, what they held before. */
    public static X509ExtendedKeyManager identity(Identity own) throws IOException, GeneralSecurityException {
        return new RereadIdentity(new Reread<>(List.of(own.certificate(), own.key()), () -> read(own)));
    }

    /** For connections of both kinds. */
    public static SSLContext context(X509ExtendedKeyManager own, X509ExtendedTrustManager trust)
            throws GeneralSecurityException {
        return context(new KeyManager[] {own}, new TrustManager[] {trust});
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

    private static KeyStore named(Path file) throws IOException, GeneralSecurityException {
        KeyStore store = empty();
        for (Certificate authority : certificates(file)) {
            store.setCertificateEntry("authority-" + store.size(), authority);
        }
        return store;
    }

    private static X509ExtendedKeyManager read(Identity own) throws IOException, GeneralSecurityException {
        KeyStore store = empty();
        Certificate[] chain = certificates(own.certificate()).toArray(new Certificate[0]);
        PrivateKey key = key(own.key());
        requireOnePair(own, key, chain[0]);
        store.setKeyEntry("own", key, NO_PASSWORD, chain);
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, NO_PASSWORD);
        return only(X509ExtendedKeyManager.class, keys.getKeyManagers());
    }

    /** Two files are never replaced at one instant. */
    private static void requireOnePair(Identity own, PrivateKey key, Certificate certificate)
            throws GeneralSecurityException {
        if (!isPair(key, certificate)) {
            throw new KeyException("the key " + own.key() + " is not that of the certificate " + own.certificate());
        }
    }

    /** Whether a key is that of a certificate. */
    public static boolean isPair(PrivateKey key, Certificate certificate) throws GeneralSecurityException {
        String signing = SIGNING.getOrDefault(key.getAlgorithm(), key.getAlgorithm());
        Signature signature = Signature.getInstance(signing);
        signature.initSign(key);
        signature.update(PROBE);
        byte[] signed = signature.sign();
        try {
            signature.initVerify(certificate.getPublicKey());
            signature.update(PROBE);
            return signature.verify(signed);
        } catch (GeneralSecurityException ofAnotherKind) {
            return false;
        }
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
            Collection<? extends Certificate> all =
                    CertificateFactory.getInstance("X.509").generateCertificates(in);
            if (all.isEmpty()) {
                throw new CertificateException(file + " holds no certificate");
            }
            return all;
        }
    }

    private static PrivateKey key(Path file) throws IOException, GeneralSecurityException {
        String text = Files.readString(file, StandardCharsets.ISO_8859_1);
        int begin = text.indexOf(BEGIN);
        int end = text.indexOf(END);
        if (begin < 0 || end < begin) {
            throw new InvalidKeySpecException(
                    file + " has no key in PKCS 8 (BEGIN PRIVATE KEY); openssl pkcs8 -topk8 -nodes makes one");
        }
        for (String algorithm : SIGNING.keySet()) {
            try {
                byte[] bytes = Base64.getMimeDecoder().decode(text.substring(begin + BEGIN.length(), end));
                return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(bytes));
            } catch (GeneralSecurityException | IllegalArgumentException ofAnotherKind) {
                // The next one is tried.
            }
        }
        throw new InvalidKeySpecException("the key in " + file + " is none of " + SIGNING.keySet());
    }
}
