package dev.incumbent.coordinator.kubernetes;

import dev.incumbent.wire.EveryAddressClient;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.fabric8.kubernetes.client.utils.HttpClientUtils;
import io.fabric8.kubernetes.client.utils.TokenRefreshInterceptor;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * HTTP/1.1 to one API server, by fabric8's client over the JDK's: with what the kubeconfig says of TLS and credentials, and nothing sent twice but what
 * the server refused for its credentials.
 *
 * <p>Not HTTP/2: there all requests share one connection, and where that one is half-open each times out until the kernel gives it up, a
 * quarter of an hour later. Here a request that was not answered in time takes its connection with it.
 */
final class Transport implements AutoCloseable {
    static final String RETRY_AFTER = "Retry-After";

    /** The status of a request whose credentials do not count. */
    static final int REFUSED = 401;

    /** That of a list of a hundred thousand objects. */
    private static final int LONGEST_ANSWER = 128 << 20;

    private static final int THREADS = 2;

    private final RenewedClient client;
    private final Factory factory;
    private final ThreadGroup threads;
    private final String server;
    private final Credentials credentials;
    private final ExecutorService asking;
    private final LongSupplier nanos;

    private Transport(Config config, LongSupplier nanos) {
        this.threads = new ThreadGroup("incumbent-kubernetes");
        this.factory = new Factory(threads);
        this.server = config.getMasterUrl().replaceAll("/+$", "");
        this.asking = askingThread(threads);
        this.nanos = nanos;
        this.credentials = new Credentials(config, factory, asking, nanos, this::show);
        this.client = new RenewedClient(threads, config, () -> built(config));
    }

    /** Connects to nothing yet. Throws what fabric8 throws of a kubeconfig's keys and certificates. */
    static Transport open(Config config, LongSupplier nanos) {
        return new Transport(config, nanos);
    }

    /** On a thread of the group. The one before it keeps no connection any longer. */
    private HttpClient built(Config config) {
        List<EveryAddressClient> before = factory.clients();
        HttpClient.Builder builder = factory.newBuilder();
        HttpClientUtils.applyCommonConfiguration(config, builder, factory);
        builder.addOrReplaceInterceptor(TokenRefreshInterceptor.NAME, credentials);
        HttpClient client = builder.build();
        before.forEach(EveryAddressClient::retire);
        return client;
    }

    /** One daemon thread, which ends where nothing is asked for a while. */
    private static ExecutorService askingThread(ThreadGroup group) {
        ThreadPoolExecutor asking =
                new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(group, task, "incumbent-kubernetes-credentials");
                    thread.setDaemon(true);
                    return thread;
                });
        asking.allowCoreThreadTimeOut(true);
        return asking;
    }

    private void show(PluginCertificate returned) {
        client.show(returned);
    }

    /** Why the credentials may be old, as the end of a sentence; empty where all is well. */
    String credentialsTrouble() {
        return credentials.trouble() + client.trouble();
    }

    /** Where the API server is, without credentials. */
    String server() {
        return server;
    }

    /** Sends a request once, and ends within that time, in an answer or in whatever failed. */
    CompletableFuture<Answer> send(Ask ask, long boundNanos) {
        ByteArrayOutputStream collected = new ByteArrayOutputStream();
        return stream(ask, boundNanos, bytes -> collect(bytes, collected)).thenCompose(response -> {
            AsyncBody body = response.body();
            body.consume();
            return body.done()
                    .orTimeout(boundNanos, TimeUnit.NANOSECONDS)
                    .whenComplete((done, failure) -> body.cancel())
                    .thenApply(done -> new Answer(
                            response.code(),
                            collected.toString(StandardCharsets.UTF_8),
                            Answer.retryAfterNanos(response.headers(RETRY_AFTER))));
        });
    }

    /**
     * Sends a request; its answer begins within that time, and goes on for as long as it likes, asked for piece by piece. If the server refused the certificate (401) and
     * there is a new one by then, it is sent again over a connection that shows the new one.
     */
    CompletableFuture<HttpResponse<AsyncBody>> stream(Ask ask, long boundNanos, Consumer<ByteBuffer> reader) {
        long begunNanos = nanos.getAsLong();
        HttpClient shown = client.now();
        return stream(shown, ask, boundNanos, reader).thenCompose(response -> {
            long leftNanos = boundNanos - (nanos.getAsLong() - begunNanos);
            if (response.code() != REFUSED || client.isCurrent(shown) || leftNanos <= 0) {
                return CompletableFuture.completedFuture(response);
            }
            response.body().cancel();
            return stream(client.now(), ask, leftNanos, reader);
        });
    }

    private CompletableFuture<HttpResponse<AsyncBody>> stream(
            HttpClient over, Ask ask, long boundNanos, Consumer<ByteBuffer> reader) {
        HttpRequest.Builder request = over.newHttpRequestBuilder()
                .uri(server + ask.path())
                .timeout(Math.max(1, boundNanos), TimeUnit.NANOSECONDS);
        if (ask.body().isEmpty()) {
            request.method(ask.method(), "", "");
        } else {
            request.method(ask.method(), ask.contentType(), ask.body());
        }
        return over.consumeBytes(request.build(), (pieces, body) -> {
            pieces.forEach(reader);
            body.consume();
        });
    }

    private static void collect(ByteBuffer bytes, ByteArrayOutputStream into) {
        if (bytes.remaining() > LONGEST_ANSWER - into.size()) {
            throw new IllegalStateException("the answer is longer than " + LONGEST_ANSWER + " bytes");
        }
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        into.write(copy, 0, copy.length);
    }

    /** The failure itself, without what the stages wrapped it in. */
    static Throwable unwrapped(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    /**
     * Ends its threads. The JDK 17's client ends its own only once it is collected as garbage, unless it is interrupted; so it was built in a
     * group of its own.
     */
    @Override
    public void close() {
        client.close();
        factory.close();
        asking.shutdownNow();
        threads.interrupt();
    }

    /** Builds clients that share a few threads of that group, where fabric8 would have one for each answer under way. */
    private static final class Factory extends JdkHttpClientFactory implements AutoCloseable {
        private final ThreadGroup group;
        private final ExecutorService shared;

        /** Those that somebody still uses. */
        private final Set<EveryAddressClient> clients =
                Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

        Factory(ThreadGroup group) {
            this.group = group;
            this.shared = Executors.newFixedThreadPool(THREADS, this::daemon);
        }

        private Thread daemon(Runnable task) {
            Thread thread = new Thread(group, task, "incumbent-kubernetes");
            thread.setDaemon(true);
            return thread;
        }

        @Override
        protected java.net.http.HttpClient.Builder createNewHttpClientBuilder() {
            return new EveryAddressBuilder(
                    java.net.http.HttpClient.newBuilder().executor(shared), this::daemon, clients::add);
        }

        List<EveryAddressClient> clients() {
            return List.copyOf(clients);
        }

        /** Its threads are those of the others, too. */
        @Override
        protected void closeHttpClient(io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientImpl closed) {}

        @Override
        public void close() {
            clients().forEach(EveryAddressClient::close);
            shared.shutdownNow();
        }
    }
}
