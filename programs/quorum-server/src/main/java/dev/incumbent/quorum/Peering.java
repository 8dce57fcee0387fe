package dev.incumbent.quorum;

import dev.incumbent.wire.BoundedBody;
import dev.incumbent.wire.EveryAddressClient;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;

/** How nodes speak HTTP to each other: as clients do, with a token of a node, and over TLS where they have certificates. */
record Peering(Tokens tokens, Optional<SSLContext> tls) {
    private static final Duration CONNECT = Duration.ofMillis(500);

    /** As a client takes. */
    private static final int LONGEST_ANSWER = 64 << 20;

    /** Tries each address of a host name. Its threads end soon after its last request. */
    HttpClient client() {
        HttpClient.Builder client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT);
        tls.ifPresent(client::sslContext); // which checks the host's name, too
        return new EveryAddressClient(client.build(), Peering::daemon);
    }

    private static Thread daemon(Runnable body) {
        Thread thread = new Thread(body, "incumbent-quorum-asks");
        thread.setDaemon(true);
        return thread;
    }

    HttpRequest.Builder request(Member to, String path) {
        String host = to.host().contains(":") ? "[" + to.host() + "]" : to.host();
        HttpRequest.Builder request = HttpRequest.newBuilder(
                URI.create((tls.isPresent() ? "https://" : "http://") + host + ":" + to.port() + path));
        tokens.ofThisNode().ifPresent(shown -> request.header("Authorization", shown));
        return request;
    }

    /**
     * Sends it. The answer is there within the request's timeout and a tenth of it, to its last byte, and is not longer than a node's answers may be; else the connection
     * is dropped. The JDK's own timeout ends with the answer's head: what does not end after it would be waited for without a bound.
     */
    static CompletableFuture<HttpResponse<String>> send(HttpClient client, HttpRequest request) {
        CompletableFuture<HttpResponse<String>> answer =
                client.sendAsync(request, BoundedBody.ofAtMost(LONGEST_ANSWER));
        long millis = request.timeout().orElseThrow().toMillis() * 11 / 10 + 1;
        CompletableFuture<HttpResponse<String>> bounded = answer.copy().orTimeout(millis, TimeUnit.MILLISECONDS);
        CompletableFuture<?> unused = bounded.whenComplete((reply, failure) -> answer.cancel(true));
        return bounded;
    }

    /** Names no secret. */
    @Override
    public String toString() {
        return tokens.areAsked() ? "with a token" : "without a token";
    }
}
