package dev.incumbent.fence.consul;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.incumbent.fence.SinkException;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * The keys of one Consul: transactions over them, each sent once. Two threads; thread-safe. What does not end in an answer is a {@link SinkException}, and may have
 * applied.
 */
final class ConsulKeys implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int OK = 200;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;
    private static final List<String> CONDITIONS = List.of("index is stale", "doesn't exist");

    private final ConsulUrl url;
    private final Duration bound;
    private final ThreadPoolExecutor thread;
    private final HttpClient client;
    private volatile Optional<Thread> selector = Optional.empty();
    private volatile boolean closed;

    /** A key, its text, and when it was last modified. */
    record Entry(String key, String value, long modifyIndex) {}

    /** How a transaction ended: what it told, or in Consul's words the condition that did not hold. */
    record Outcome(List<Entry> entries, Optional<String> refusal) {}

    ConsulKeys(ConsulUrl url, Duration bound) {
        this.url = url;
        this.bound = bound;
        this.thread = new ThreadPoolExecutor(
                1,
                1,
                0,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                ConsulKeys::daemon,
                new ThreadPoolExecutor.DiscardPolicy());
        HttpClient.Builder building =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).executor(this::executeForClient);
        url.authority().map(ConsulKeys::trusting).ifPresent(building::sslContext);
        this.client = building.build();
    }

    ConsulUrl url() {
        return url;
    }

    Duration bound() {
        return bound;
    }

    /** Applies operations, all or none. */
    CompletableFuture<Outcome> apply(Operations operations, String doing) {
        return send("PUT", "/v1/txn", operations.json(), doing).thenApply(answer -> outcome(answer, doing));
    }

    /** The same, of operations that only read; never older than what was acknowledged. Leaves out what the token may not read. */
    CompletableFuture<Outcome> read(Operations operations, String doing) {
        return send("PUT", "/v1/txn?consistent", operations.json(), doing).thenApply(answer -> outcome(answer, doing));
    }

    /** Is that key there? Denied aloud where the token may not read it. */
    CompletableFuture<Boolean> isThere(String key) {
        String doing = "reading " + key;
        return send("GET", "/v1/kv/" + key + "?consistent", "", doing).thenApply(answer -> {
            boolean isConsul = answer.headers().firstValue("X-Consul-Index").isPresent();
            if (isConsul && (answer.statusCode() == OK || answer.statusCode() == NOT_FOUND)) {
                return answer.statusCode() == OK;
            }
            throw failure(answer, doing);
        });
    }

    private CompletableFuture<HttpResponse<String>> send(String method, String path, String body, String doing) {
        if (closed) {
            return CompletableFuture.failedFuture(new SinkException(url + " is closed"));
        }
        HttpRequest.Builder request = HttpRequest.newBuilder(url.base().resolve(path))
                .timeout(bound)
                .method(
                        method,
                        body.isEmpty()
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(body));
        url.token().ifPresent(token -> request.header("X-Consul-Token", token));
        return client.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString())
                .handle((answer, failure) -> {
                    if (failure != null) {
                        throw unanswered(doing, failure);
                    }
                    return answer;
                });
    }

    private SinkException unanswered(String doing, Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String why = root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
        if (root instanceof ClosedChannelException) {
            why = "Connection refused"; // the client tries to connect twice, and the second time it has closed the
            // channel
        } else if (root instanceof UnresolvedAddressException) {
            why = "its host is unknown";
        }
        return new SinkException(url + ": " + doing + " got no answer: " + why, failure);
    }

    private Outcome outcome(HttpResponse<String> answer, String doing) {
        if (answer.statusCode() == CONFLICT) {
            String why = json(answer, doing).path("Errors").path(0).path("What").asText();
            if (CONDITIONS.stream().noneMatch(why::contains)) {
                throw new SinkException(url + " refused " + doing + ": " + (why.isEmpty() ? answer.body() : why));
            }
            return new Outcome(List.of(), Optional.of(why));
        }
        if (answer.statusCode() != OK) {
            throw failure(answer, doing);
        }
        List<Entry> entries = new ArrayList<>();
        for (JsonNode result : json(answer, doing).path("Results")) {
            JsonNode key = result.path("KV");
            byte[] value = Base64.getDecoder().decode(key.path("Value").asText(""));
            entries.add(new Entry(
                    key.path("Key").asText(),
                    new String(value, StandardCharsets.UTF_8),
                    key.path("ModifyIndex").asLong()));
        }
        return new Outcome(entries, Optional.empty());
    }

    private SinkException failure(HttpResponse<String> answer, String doing) {
        String what = answer.statusCode() == FORBIDDEN ? " denies " : " answered " + answer.statusCode() + " to ";
        return new SinkException(url + what + doing + ": " + answer.body().strip());
    }

    private JsonNode json(HttpResponse<String> answer, String doing) {
        try {
            return JSON.readTree(answer.body());
        } catch (JsonProcessingException e) {
            throw new SinkException(url + " answered to " + doing + " what is no JSON; is that Consul?", e);
        }
    }

    /** Waits for an answer on the calling thread. */
    <T> T await(CompletableFuture<T> answer) {
        try {
            return answer.get(bound.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | CompletionException e) {
            throw e.getCause() instanceof SinkException known ? known : new SinkException(url + ": " + e, e);
        } catch (TimeoutException e) {
            throw new SinkException(url + " gave up after " + bound.toMillis() + " ms", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SinkException(url + ": interrupted while it was asked", e);
        }
    }

    /** The client has its tasks run by its selector above all, which the JDK has no other way to name, or to end, before 21. */
    private void executeForClient(Runnable task) {
        Thread caller = Thread.currentThread();
        if (selector.isEmpty() && caller.getName().endsWith("SelectorManager")) {
            selector = Optional.of(caller);
        }
        thread.execute(task);
    }

    @Override
    public void close() {
        closed = true;
        selector.ifPresent(Thread::interrupt);
        thread.shutdown();
    }

    private static Thread daemon(Runnable loop) {
        Thread thread = new Thread(loop, "incumbent-consul-sink");
        thread.setDaemon(true);
        return thread;
    }

    private static SSLContext trusting(Path authority) {
        try (InputStream file = Files.newInputStream(authority)) {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int number = 0;
            for (var certificate : CertificateFactory.getInstance("X.509").generateCertificates(file)) {
                store.setCertificateEntry("authority-" + number++, certificate);
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw new SinkException(
                    "the certificate of Consul's authority, " + authority + ", cannot be read: " + e, e);
        }
    }
}
