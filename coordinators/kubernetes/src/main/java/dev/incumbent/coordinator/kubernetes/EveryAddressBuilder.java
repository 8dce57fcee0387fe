package dev.incumbent.coordinator.kubernetes;

import dev.incumbent.wire.EveryAddressClient;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/** Where fabric8 builds a client of the JDK's: builds one that tries each address of the API server's host. */
final class EveryAddressBuilder implements HttpClient.Builder {
    private final HttpClient.Builder byName;
    private final ThreadFactory threads;
    private final Consumer<EveryAddressClient> built;

    /** Lets somebody hear of each client, to close it. */
    EveryAddressBuilder(HttpClient.Builder byName, ThreadFactory threads, Consumer<EveryAddressClient> built) {
        this.byName = byName;
        this.threads = threads;
        this.built = built;
    }

    @Override
    public HttpClient build() {
        EveryAddressClient client = new EveryAddressClient(byName.build(), threads);
        built.accept(client);
        return client;
    }

    @Override
    public HttpClient.Builder cookieHandler(CookieHandler cookies) {
        byName.cookieHandler(cookies);
        return this;
    }

    @Override
    public HttpClient.Builder connectTimeout(Duration bound) {
        byName.connectTimeout(bound);
        return this;
    }

    @Override
    public HttpClient.Builder sslContext(SSLContext context) {
        byName.sslContext(context);
        return this;
    }

    @Override
    public HttpClient.Builder sslParameters(SSLParameters parameters) {
        byName.sslParameters(parameters);
        return this;
    }

    @Override
    public HttpClient.Builder executor(Executor executor) {
        byName.executor(executor);
        return this;
    }

    @Override
    public HttpClient.Builder followRedirects(HttpClient.Redirect policy) {
        byName.followRedirects(policy);
        return this;
    }

    @Override
    public HttpClient.Builder version(HttpClient.Version version) {
        byName.version(version);
        return this;
    }

    @Override
    public HttpClient.Builder priority(int priority) {
        byName.priority(priority);
        return this;
    }

    @Override
    public HttpClient.Builder proxy(ProxySelector selector) {
        byName.proxy(selector);
        return this;
    }

    @Override
    public HttpClient.Builder authenticator(Authenticator authenticator) {
        byName.authenticator(authenticator);
        return this;
    }
}
