package dev.incumbent.etcd;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
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
import java.util.Base64;
import java.util.Collection;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/** TLS over a socket, with the certificates of PEM files; the server's name is always checked. */
final class Tls {
    private static final char[] NO_PASSWORD = {};

    private final SSLSocketFactory sockets;

    private Tls(SSLSocketFactory sockets) {
        this.sockets = sockets;
    }

    static Tls of(EtcdAddress.TlsFiles files) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys(files), trust(files.authorities()), null);
            return new Tls(context.getSocketFactory());
        } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
            throw new EtcdException("the certificates for etcd cannot be read: " + e, EtcdException.Kind.UNUSABLE, e);
        }
    }

    /** Speaks TLS over a connection; blocks until both sides agree. */
    SSLSocket over(java.net.Socket socket, EtcdAddress.Endpoint endpoint) throws IOException {
        SSLSocket secured = (SSLSocket) sockets.createSocket(socket, endpoint.host(), endpoint.port(), true);
        SSLParameters parameters = secured.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        secured.setSSLParameters(parameters);
        secured.startHandshake();
        return secured;
    }

    private static TrustManager[] trust(Optional<String> file) throws IOException, GeneralSecurityException {
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        KeyStore store = null;
        if (file.isPresent()) {
            store = empty();
            int count = 0;
            for (Certificate authority : certificates(file.get())) {
                store.setCertificateEntry("authority-" + count++, authority);
            }
        }
        trust.init(store);
        return trust.getTrustManagers();
    }

    private static KeyManager[] keys(EtcdAddress.TlsFiles files) throws IOException, GeneralSecurityException {
        if (files.certificate().isEmpty() || files.key().isEmpty()) {
            return new KeyManager[0];
        }
        KeyStore store = empty();
        Certificate[] chain = certificates(files.certificate().get()).toArray(new Certificate[0]);
        store.setKeyEntry("client", key(files.key().get()), NO_PASSWORD, chain);
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, NO_PASSWORD);
        return keys.getKeyManagers();
    }

    private static KeyStore empty() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    private static Collection<? extends Certificate> certificates(String file)
            throws IOException, GeneralSecurityException {
        try (InputStream in = new ByteArrayInputStream(Files.readAllBytes(Path.of(file)))) {
            return CertificateFactory.getInstance("X.509").generateCertificates(in);
        }
    }

    private static Key key(String file) throws IOException, GeneralSecurityException {
        String text = Files.readString(Path.of(file), StandardCharsets.US_ASCII);
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
