package dev.incumbent.coordinator.kubernetes;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.time.Timeline;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** An API server that answers what a test's script says, and remembers what it was asked. Thread-safe. */
final class ScriptedServer implements AutoCloseable {
    private final HttpServer http;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Ask> asked = new CopyOnWriteArrayList<>();
    private final List<String> shown = new CopyOnWriteArrayList<>();
    private final List<OutputStream> unended = new CopyOnWriteArrayList<>();
    private volatile Function<Ask, Answer> script = ask -> new Answer(404, "{\"reason\":\"NotFound\"}");

    ScriptedServer() {
        try {
            http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        http.setExecutor(threads);
        http.createContext("/", this::serve);
        http.start();
    }

    /** What it answers; an answer of no code begins, and does not end. */
    void answers(Function<Ask, Answer> by) {
        script = by;
    }

    List<Ask> asked() {
        return List.copyOf(asked);
    }

    /** Says a little more in each answer that it has not ended. Were there any, and does nobody take it any more? */
    boolean isLeftByAll() {
        return !unended.isEmpty() && unended.stream().allMatch(ScriptedServer::isLeft);
    }

    private static boolean isLeft(OutputStream answer) {
        try {
            answer.write(' ');
            answer.flush();
            return false;
        } catch (IOException left) {
            return true;
        }
    }

    Coordinator coordinator(Timeline timeline, Duration requestTimeout, Mode mode) {
        Transport transport = transport();
        Api api = new Api(
                transport,
                timeline,
                requestTimeout,
                new Failures(transport.server(), "ns", transport::credentialsTrouble));
        return new KubernetesCoordinator(api, "ns", timeline, mode);
    }

    String url() {
        return "http://127.0.0.1:" + http.getAddress().getPort();
    }

    /** What the requests showed as their credentials, in order. */
    List<String> shown() {
        return List.copyOf(shown);
    }

    Transport transport() {
        return Transport.open(
                new ConfigBuilder(Config.empty())
                        .withMasterUrl(url())
                        .withRequestRetryBackoffLimit(0)
                        .build(),
                () -> 0);
    }

    private void serve(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        Ask ask = new Ask(exchange.getRequestMethod(), exchange.getRequestURI().toString(), "", body);
        asked.add(ask);
        shown.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
        Answer answer = script.apply(ask);
        if (answer.retryAfterNanos() > 0) {
            exchange.getResponseHeaders()
                    .add("Retry-After", Long.toString(TimeUnit.NANOSECONDS.toSeconds(answer.retryAfterNanos())));
        }
        byte[] text = answer.body().getBytes(StandardCharsets.UTF_8);
        if (answer.code() == 0) {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write(text);
            exchange.getResponseBody().flush();
            unended.add(exchange.getResponseBody());
            return;
        }
        try (exchange) {
            exchange.sendResponseHeaders(answer.code(), text.length == 0 ? -1 : text.length);
            exchange.getResponseBody().write(text);
        }
    }

    @Override
    public void close() {
        http.stop(0);
        threads.shutdownNow();
    }
}
