package dev.incumbent.coordinator.redis;

import dev.incumbent.coordinator.CoordinatorUnusableException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** TLS as a client: the server's certificate must be trusted and name its host. */
final class Tls {
    private Tls() {}

    /** The socket itself, or TLS over it where the login asks for it. */
    static Socket over(Socket plain, ServerAddress at) {
        if (!at.login().tls()) {
            return plain;
        }
        try {
            SSLSocket secure = (SSLSocket)
                    context(at.login().authority()).getSocketFactory().createSocket(plain, at.host(), at.port(), true);
            SSLParameters parameters = secure.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            secure.setSSLParameters(parameters);
            secure.startHandshake();
            return secure;
        } catch (IOException failure) {
            throw new JedisConnectionException(failure);
        }
    }

    private static SSLContext context(Optional<Path> authority) throws IOException {
        try {
            if (authority.isEmpty()) {
                return SSLContext.getDefault();
            }
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trusting(authority.get()).getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new CoordinatorUnusableException("TLS cannot be used here: " + e.getMessage(), e);
        }
    }

    private static TrustManagerFactory trusting(Path authority) throws GeneralSecurityException {
        try (InputStream in = Files.newInputStream(authority)) {
            KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            int number = 0;
            for (Certificate one : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                trusted.setCertificateEntry("authority-" + number++, one);
            }
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(trusted);
            return factory;
        } catch (IOException e) {
            throw new CoordinatorUnusableException(
                    "the file of certificates " + authority + " cannot be read: " + e, e);
        }
    }
}
