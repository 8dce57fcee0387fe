package dev.incumbent.wire;

import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/**
 * An HTTP client that tries each address of a host, where the JDK's tries the first one alone. Requests go by the JDK's client, as long as the first address takes
 * connections. Where it does not, the same request goes to the next address, over a connection of ours, and so do the requests after it, for ten minutes or until the first
 * address answers again. The host is asked for its name all the same, in the request and over TLS.
 *
 * <p>A request is sent once: another address is tried only where no connection came about. A request that was late makes the next one go to another address.
 *
 * <p>What goes over connections of ours is HTTP/1.1, and follows no redirection. Each such request takes a thread while it is under way; the threads end soon after the
 * last one. Where a proxy is set up, that one chooses the address. Thread-safe.
 */
public final class EveryAddressClient extends HttpClient implements AutoCloseable {
    private static final Duration IDLE = Duration.ofSeconds(5);

    private final HttpClient byName;
    private final ThreadPoolExecutor threads;
    private final Map<String, HostConnections> hosts = new ConcurrentHashMap<>();
    private final Set<AddressedCall<?>> calls = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /**
     * Goes by that client; its executor hears of answers.
     *
     * @param factory makes the threads of our connections
     */
    public EveryAddressClient(HttpClient byName, ThreadFactory factory) {
        this.byName = byName;
        // As many as there are requests under way, which are bounded by whoever sends them.
        this.threads = new ThreadPoolExecutor(
                0, Integer.MAX_VALUE, IDLE.toMillis(), TimeUnit.MILLISECONDS, new SynchronousQueue<>(), factory);
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, HttpResponse.BodyHandler<T> handler) {
        if (HostConnections.isNumber(request.uri()) || isProxied(request.uri())) {
            return byName.sendAsync(request, handler);
        }
        AddressedCall<T> call = new AddressedCall<>(this, host(request.uri()), request, handler);
        calls.add(call);
        CompletableFuture<HttpResponse<T>> answer = call.begin();
        CompletableFuture<?> unused = call.whole().whenComplete((nothing, failure) -> calls.remove(call));
        if (closed) {
            call.abandon();
        }
        return answer;
    }

    /** Nothing is pushed over HTTP/1.1. */
    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(
            HttpRequest request, HttpResponse.BodyHandler<T> handler, HttpResponse.PushPromiseHandler<T> pushed) {
        return sendAsync(request, handler);
    }

    @Override
    public <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> handler)
            throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<T>> answer = sendAsync(request, handler);
        try {
            return answer.get();
        } catch (InterruptedException e) {
            answer.cancel(true);
            throw e;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException known ? known : new IOException(e.getCause());
        }
    }

    HttpClient byName() {
        return byName;
    }

    /** Runs what blocks. False once closed. */
    boolean runs(Runnable task) {
        try {
            threads.execute(task);
            return true;
        } catch (RejectedExecutionException ended) {
            return false;
        }
    }

    /** Where answers are heard. */
    Executor hearing() {
        return task -> {
            try {
                byName.executor().orElse(Runnable::run).execute(task);
            } catch (RejectedExecutionException ended) {
                task.run();
            }
        };
    }

    private HostConnections host(URI uri) {
        return hosts.computeIfAbsent(
                uri.getScheme() + "://" + uri.getHost() + ":" + HostConnections.port(uri),
                name -> new HostConnections(uri, byName.sslContext()));
    }

    private boolean isProxied(URI uri) {
        Optional<ProxySelector> proxies = byName.proxy().or(() -> Optional.ofNullable(ProxySelector.getDefault()));
        return proxies.map(
                        selector -> selector.select(uri).stream().anyMatch(proxy -> proxy.type() != Proxy.Type.DIRECT))
                .orElse(false);
    }

    /** From now on it keeps no idle connection of ours. For a client that another one replaces: what is under way goes on. */
    public void retire() {
        hosts.values().forEach(HostConnections::close);
    }

    /** Ends connections of ours, and the requests that go over them. Never fails, may be called twice. */
    @Override
    public void close() {
        closed = true;
        calls.forEach(AddressedCall::abandon);
        retire();
        threads.shutdownNow();
    }

    @Override
    public Optional<CookieHandler> cookieHandler() {
        return byName.cookieHandler();
    }

    @Override
    public Optional<Duration> connectTimeout() {
        return byName.connectTimeout();
    }

    @Override
    public Redirect followRedirects() {
        return byName.followRedirects();
    }

    @Override
    public Optional<ProxySelector> proxy() {
        return byName.proxy();
    }

    @Override
    public SSLContext sslContext() {
        return byName.sslContext();
    }

    @Override
    public SSLParameters sslParameters() {
        return byName.sslParameters();
    }

    @Override
    public Optional<Authenticator> authenticator() {
        return byName.authenticator();
    }

    @Override
    public Version version() {
        return byName.version();
    }

    @Override
    public Optional<Executor> executor() {
        return byName.executor();
    }

    @Override
    public WebSocket.Builder newWebSocketBuilder() {
        return byName.newWebSocketBuilder();
    }
}
