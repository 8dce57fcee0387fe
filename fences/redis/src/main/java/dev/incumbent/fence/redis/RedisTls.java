package dev.incumbent.fence.redis;

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
final class RedisTls {
    private RedisTls() {}

    /** The socket itself, or TLS over it where the login asks for it. */
    static Socket over(Socket plain, RedisUrl url) {
        if (!url.tls()) {
            return plain;
        }
        try {
            SSLSocket secure = (SSLSocket)
                    context(url.authority()).getSocketFactory().createSocket(plain, url.host(), url.port(), true);
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
            throw new JedisConnectionException("TLS cannot be used here: " + e.getMessage(), e);
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
            throw new JedisConnectionException("the file of certificates " + authority + " cannot be read: " + e, e);
        }
    }
}
