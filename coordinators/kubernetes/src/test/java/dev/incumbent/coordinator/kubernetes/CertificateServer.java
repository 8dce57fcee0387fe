package dev.incumbent.coordinator.kubernetes;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import dev.incumbent.servers.ServerCertificate;
import dev.incumbent.wire.Tls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.X509ExtendedTrustManager;

/** Speaks TLS as an API server does: it asks for a client's certificate, and answers 401 to each request over a connection whose certificate is not the one that counts now. Thread-safe. */
final class CertificateServer implements AutoCloseable {
    private final HttpsServer https;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<String> shown = new CopyOnWriteArrayList<>();
    private volatile String counts;

    /** Shows that certificate, at that port or at any (0); the client's whose common name is {@code counts} counts. */
    CertificateServer(ServerCertificate own, int port, String counts) throws IOException, GeneralSecurityException {
        this.counts = counts;
        SSLContext context = Tls.context(Tls.identity(new Tls.Identity(own.file(), own.key())), new TrustsAll());
        https = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        https.setHttpsConfigurator(new HttpsConfigurator(context) {
            @Override
            public void configure(HttpsParameters parameters) {
                SSLParameters asking = context.getDefaultSSLParameters();
                asking.setNeedClientAuth(true);
                parameters.setSSLParameters(asking);
            }
        });
        https.setExecutor(threads);
        https.createContext("/", this::serve);
        https.start();
    }

    int port() {
        return https.getAddress().getPort();
    }

    /** From now on, that one counts, as when the other has run out. */
    void counts(String name) {
        counts = name;
    }

    /** The common names that requests showed, in order. */
    List<String> shown() {
        return List.copyOf(shown);
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            X509Certificate client =
                    (X509Certificate) ((HttpsExchange) exchange).getSSLSession().getPeerCertificates()[0];
            String name = client.getSubjectX500Principal().getName().replaceFirst("CN=", "");
            shown.add(name);
            byte[] body = "{}".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(name.equals(counts) ? 200 : 401, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        https.stop(0);
        threads.shutdownNow();
    }

    /** Who is who is judged by each request, as an API server does it. */
    private static final class TrustsAll extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
