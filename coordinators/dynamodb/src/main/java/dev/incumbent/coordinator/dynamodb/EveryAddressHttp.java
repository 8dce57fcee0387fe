package dev.incumbent.coordinator.dynamodb;

import dev.incumbent.wire.HostConnections;
import dev.incumbent.wire.HostConnections.WholeAnswer;
import dev.incumbent.wire.HostConnections.WholeRequest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLContext;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.http.urlconnection.ProxyConfiguration;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.utils.AttributeMap;

/**
 * The SDK's client, which tries the first address of a host alone; where that one takes no connection, the others are tried. A request is sent once. Thread-safe.
 */
final class EveryAddressHttp implements SdkHttpClient {
    /** DynamoDB answers at most 16 MB. */
    private static final int LONGEST_ANSWER = 64 << 20;

    private final SdkHttpClient byName;
    private final Duration bound;
    private final boolean isProxied;
    private final Map<String, HostConnections> hosts = new ConcurrentHashMap<>();

    EveryAddressHttp(Duration bound, AttributeMap defaults) {
        this.byName = UrlConnectionHttpClient.builder()
                .connectionTimeout(bound)
                .socketTimeout(bound)
                .buildWithDefaults(defaults);
        this.bound = bound;
        this.isProxied = isProxied("http") || isProxied("https");
    }

    /** As the SDK's client finds its proxy. */
    private static boolean isProxied(String scheme) {
        ProxyConfiguration found = ProxyConfiguration.builder().scheme(scheme).build();
        return Optional.ofNullable(found.host()).filter(host -> !host.isEmpty()).isPresent();
    }

    @Override
    public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
        ExecutableHttpRequest first = byName.prepareRequest(request);
        URI uri = request.httpRequest().getUri();
        return isProxied || HostConnections.isNumber(uri) ? first : new Sent(first, request, uri);
    }

    @Override
    public String clientName() {
        return byName.clientName();
    }

    private HostConnections host(URI uri) throws IOException {
        try {
            SSLContext context = SSLContext.getDefault();
            return hosts.computeIfAbsent(
                    uri.getScheme() + "://" + uri.getAuthority(), name -> new HostConnections(uri, context));
        } catch (NoSuchAlgorithmException e) {
            throw new IOException("TLS cannot be used here", e);
        }
    }

    @Override
    public void close() {
        byName.close();
        hosts.values().forEach(HostConnections::close);
    }

    /** One request, which any thread may abort. */
    private final class Sent implements ExecutableHttpRequest {
        private final ExecutableHttpRequest first;
        private final HttpExecuteRequest request;
        private final URI uri;
        private volatile boolean aborted;
        private volatile Runnable end = () -> {};

        Sent(ExecutableHttpRequest first, HttpExecuteRequest request, URI uri) {
            this.first = first;
            this.request = request;
            this.uri = uri;
        }

        @Override
        public HttpExecuteResponse call() throws IOException {
            HostConnections host = host(uri);
            if (!host.addresses().isFirstUsable() && !host.isOneAddress()) {
                return byAddress(host);
            }
            try {
                return first.call();
            } catch (IOException failure) {
                boolean isUnreached = failure instanceof ConnectException || failure instanceof NoRouteToHostException;
                if (isUnreached || failure instanceof SocketTimeoutException || aborted) {
                    host.addresses().firstHasFailed();
                }
                if (!isUnreached || aborted || host.isOneAddress()) {
                    throw failure;
                }
                return byAddress(host);
            }
        }

        private HttpExecuteResponse byAddress(HostConnections host) throws IOException {
            WholeAnswer answer = host.ask(
                    new WholeRequest(request.httpRequest().method().name(), uri, headers(), body()),
                    bound,
                    LONGEST_ANSWER,
                    this::endsBy);
            SdkHttpResponse told = SdkHttpResponse.builder()
                    .statusCode(answer.statusCode())
                    .headers(answer.headers())
                    .build();
            InputStream body = new ByteArrayInputStream(answer.body().getBytes(StandardCharsets.UTF_8));
            return HttpExecuteResponse.builder()
                    .response(told)
                    .responseBody(AbortableInputStream.create(body))
                    .build();
        }

        private void endsBy(Runnable deed) {
            end = deed;
            if (aborted) {
                deed.run();
            }
        }

        /** The signature names the host, which is the same. */
        private Map<String, List<String>> headers() {
            Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
            headers.putAll(request.httpRequest().headers());
            headers.remove("Host");
            headers.remove("Content-Length");
            return headers;
        }

        private String body() throws IOException {
            if (request.contentStreamProvider().isEmpty()) {
                return "";
            }
            try (InputStream in = request.contentStreamProvider().get().newStream()) {
                return new String(in.readAllBytes(), StandardCharsets.UTF_8);
            }
        }

        @Override
        public void abort() {
            aborted = true;
            first.abort();
            end.run();
        }
    }
}
