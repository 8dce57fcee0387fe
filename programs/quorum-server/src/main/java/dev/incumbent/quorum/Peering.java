package dev.incumbent.quorum;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/** How nodes speak HTTP to each other: as clients do, with the same token, and over TLS where they have certificates. */
record Peering(Optional<String> token, Optional<SSLContext> tls) {
    private static final Duration CONNECT = Duration.ofMillis(500);

    HttpClient client() {
        HttpClient.Builder client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT);
        tls.ifPresent(client::sslContext); // which checks the host's name, too
        return client.build();
    }

    HttpRequest.Builder request(Member to, String path) {
        String host = to.host().contains(":") ? "[" + to.host() + "]" : to.host();
        HttpRequest.Builder request = HttpRequest.newBuilder(
                URI.create((tls.isPresent() ? "https://" : "http://") + host + ":" + to.port() + path));
        token.ifPresent(secret -> request.header("Authorization", "Bearer " + secret));
        return request;
    }

    /** Names no secret. */
    @Override
    public String toString() {
        return token.isPresent() ? "with a token" : "without a token";
    }
}
