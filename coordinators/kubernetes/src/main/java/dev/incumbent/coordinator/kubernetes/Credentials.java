package dev.incumbent.coordinator.kubernetes;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.utils.TokenRefreshInterceptor;
import java.net.URI;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * What each request shows the API server. fabric8 gets a new token where the kubeconfig or the pod says (a credential plugin, a file); here it does so on a
 * thread of its own, once at a time. A plugin that hangs stops no caller: the last token is shown until the plugin ends. A plugin may return a client certificate
 * instead of a token; fabric8 takes the first one alone, so each later one is passed on from here. Thread-safe.
 */
final class Credentials implements Interceptor {
    private static final String HEADER = TokenRefreshInterceptor.AUTHORIZATION;
    private static final long EVERY_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Source source;
    private final ExecutorService thread;
    private final LongSupplier nanos;
    private final Consumer<PluginCertificate> certificates;
    private final long patienceMillis;
    private volatile String shown = "";

    /** The refresh under way, or the last one. Guarded by this, as its beginning is. */
    private CompletableFuture<Boolean> refresh = CompletableFuture.completedFuture(false);

    private long begunNanos;

    /**
     * A request that was refused waits for new credentials as long as requests may take.
     *
     * @param certificates takes each certificate that a plugin returns, on the thread that asks; a request that was refused waits for that, too
     */
    Credentials(
            Config config,
            HttpClient.Factory factory,
            ExecutorService thread,
            LongSupplier nanos,
            Consumer<PluginCertificate> certificates) {
        this.source = new Source(config, factory);
        this.thread = thread;
        this.nanos = nanos;
        this.certificates = certificates;
        this.begunNanos = nanos.getAsLong();
        this.patienceMillis = Math.max(1, config.getRequestTimeout());
        source.before(new Shown(), null, null);
    }

    @Override
    public void before(BasicBuilder request, HttpRequest built, RequestTags tags) {
        show(request);
        if (isDue()) {
            CompletableFuture<Boolean> unused = refreshed();
        }
    }

    /** True if the request is to be sent again, with what it is given here. */
    @Override
    public CompletableFuture<Boolean> afterFailure(BasicBuilder request, HttpResponse<?> response, RequestTags tags) {
        if (response.code() != Transport.REFUSED || source.isFixed()) {
            return CompletableFuture.completedFuture(false);
        }
        return refreshed()
                .copy()
                .completeOnTimeout(false, patienceMillis, TimeUnit.MILLISECONDS)
                .thenApply(isNew -> {
                    show(request);
                    return isNew;
                });
    }

    /** Where new credentials have been waited for a while: says so, as the end of a sentence. */
    synchronized String trouble() {
        long seconds = TimeUnit.NANOSECONDS.toSeconds(nanos.getAsLong() - begunNanos);
        return refresh.isDone() || seconds < 1
                ? ""
                : "; whoever gives new ones (a credential plugin?) has not answered for " + seconds + " s";
    }

    private void show(BasicBuilder request) {
        if (!shown.isEmpty()) {
            request.setHeader(HEADER, shown);
        }
    }

    private synchronized boolean isDue() {
        return !source.isFixed() && refresh.isDone() && nanos.getAsLong() - begunNanos >= EVERY_NANOS;
    }

    private synchronized CompletableFuture<Boolean> refreshed() {
        if (refresh.isDone()) {
            CompletableFuture<Boolean> next = new CompletableFuture<>();
            refresh = next;
            begunNanos = nanos.getAsLong();
            try {
                thread.execute(() -> ask(next));
            } catch (RejectedExecutionException closed) {
                next.complete(false);
            }
        }
        return refresh;
    }

    private void ask(CompletableFuture<Boolean> answer) {
        try {
            CompletableFuture<Boolean> asked = source.afterFailure(new Shown(), null, null);
            source.lastRead().flatMap(PluginCertificate::of).ifPresent(certificates);
            CompletableFuture<Boolean> unused =
                    asked.whenComplete((isNew, failure) -> answer.complete(failure == null && isNew));
        } catch (RuntimeException | Error failed) {
            answer.complete(false);
        }
    }

    /** fabric8's own, which blocks while it asks. It is asked whatever was refused. */
    private static final class Source extends TokenRefreshInterceptor {
        /** When it is asked is decided here, and not by its own clock. */
        private static final Instant NEVER_DUE = Instant.parse("9999-01-01T00:00:00Z");

        private Optional<Config> lastRead = Optional.empty();

        Source(Config config, HttpClient.Factory factory) {
            super(config, factory, NEVER_DUE);
        }

        boolean isFixed() {
            return useBasicAuth();
        }

        /** What was read when it was asked last. Belongs to the thread that asks. */
        Optional<Config> lastRead() {
            return lastRead;
        }

        /** fabric8 asks this of each configuration that it has read again, and shows it to nobody else. */
        @Override
        protected boolean useRemoteRefresh(Config newest) {
            lastRead = Optional.of(newest).filter(read -> !read.equals(config));
            return super.useRemoteRefresh(newest);
        }

        @Override
        protected boolean shouldFail(HttpResponse<?> response) {
            return useBasicAuth();
        }
    }

    /** In a request's place: keeps what fabric8 would show. */
    private final class Shown implements BasicBuilder {
        @Override
        public BasicBuilder uri(URI uri) {
            return this;
        }

        @Override
        public BasicBuilder header(String name, String value) {
            return setHeader(name, value);
        }

        @Override
        public BasicBuilder setHeader(String name, String value) {
            shown = name.equals(HEADER) ? value : shown;
            return this;
        }
    }
}
