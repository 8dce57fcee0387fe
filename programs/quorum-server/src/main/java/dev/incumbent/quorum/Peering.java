package dev.incumbent.quorum;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/** How nodes speak HTTP to each other: as clients do, with a token of a node, and over TLS where they have certificates. */
record Peering(Tokens tokens, Optional<SSLContext> tls) {
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
        tokens.ofThisNode().ifPresent(shown -> request.header("Authorization", shown));
        return request;
    }

    /** Names no secret. */
    @Override
    public String toString() {
        return tokens.areAsked() ? "with a token" : "without a token";
    }
}
