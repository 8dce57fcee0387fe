package dev.incumbent.quorum;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.incumbent.coordinator.quorum.wire.Words;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

/**
 * The HTTP by which clients, people and the other nodes speak to this node. Its threads are few, and none waits for an answer: that is sent when it
 * comes.
 */
final class Endpoint implements Closeable {
    private static final int THREADS = 8;
    private static final int LONGEST_BODY = 8 << 20;
    private static final int BACKLOG = 256;

    private final String node;
    private final Optional<String> token;
    private final HttpServer http;
    private final ExecutorService threads;

    private volatile Supplier<Optional<String>> leader = Optional::empty;
    private volatile String quorum = "";

    private Endpoint(String node, Optional<String> token, HttpServer http, ExecutorService threads) {
        this.node = node;
        this.token = token;
        this.http = http;
        this.threads = threads;
    }

    /** What answers a path. */
    @FunctionalInterface
    interface Answering {
        CompletableFuture<Answer> to(Asked asked) throws IOException;
    }

    /** A question: its method, what follows the path, its body, and how long its asker waits. */
    record Asked(String method, String rest, String body, long withinMillis, boolean wasPassedOn) {}

    /** An answer; none of a kind that a browser would run. */
    record Answer(int status, String text) {
        static CompletableFuture<Answer> now(int status, String text) {
            return CompletableFuture.completedFuture(new Answer(status, text));
        }
    }

    /** Listens; nothing is answered before it is told by what. */
    static Endpoint listen(Member self, Optional<String> token, Optional<SSLContext> tls) throws IOException {
        // Without this an answer waits 40 ms for the acknowledgement of its own header.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        // A request that does not arrive whole in so many seconds keeps no thread.
        System.setProperty("sun.net.httpserver.maxReqTime", "10");
        InetSocketAddress address = new InetSocketAddress(self.host(), self.port());
        HttpServer http = tls.isPresent() ? secured(address, tls.get()) : HttpServer.create(address, BACKLOG);
        ExecutorService threads = Executors.newFixedThreadPool(THREADS, task -> {
            Thread thread = new Thread(task, "incumbent-http");
            thread.setDaemon(true);
            return thread;
        });
        http.setExecutor(threads);
        Endpoint endpoint = new Endpoint(self.name(), token, http, threads);
        endpoint.answer("/", asked -> Answer.now(endpoint.quorum.isEmpty() ? 503 : 404, endpoint.nothingHere()));
        http.start();
        return endpoint;
    }

    private String nothingHere() {
        return quorum.isEmpty() ? "this node does not take part yet\n" : "nothing lies here\n";
    }

    private static HttpServer secured(InetSocketAddress address, SSLContext tls) throws IOException {
        HttpsServer https = HttpsServer.create(address, BACKLOG);
        https.setHttpsConfigurator(new HttpsConfigurator(tls));
        return https;
    }

    /** From now on every answer names the quorum and its leader, and who means another quorum is refused. */
    void name(String theQuorum, Supplier<Optional<String>> theLeader) {
        quorum = theQuorum;
        leader = theLeader;
    }

    void answer(String path, Answering answering) {
        http.createContext(path, exchange -> take(exchange, path, answering));
    }

    private void take(HttpExchange exchange, String path, Answering answering) {
        try {
            if (!isAdmitted(exchange)) {
                send(exchange, new Answer(401, "a bearer token is required\n"));
                return;
            }
            if (meansAnother(exchange)) {
                send(exchange, new Answer(421, "this node is of the quorum " + quorum + "\n"));
                return;
            }
            byte[] body = exchange.getRequestBody().readNBytes(LONGEST_BODY + 1);
            if (body.length > LONGEST_BODY) {
                send(exchange, new Answer(413, "a request has at most " + LONGEST_BODY + " bytes\n"));
                return;
            }
            String rest = exchange.getRequestURI().getPath().substring(path.length());
            Asked asked = new Asked(
                    exchange.getRequestMethod(),
                    rest,
                    new String(body, StandardCharsets.UTF_8),
                    within(exchange),
                    exchange.getRequestHeaders().containsKey(Words.PASSED_ON_HEADER));
            var unused = answering
                    .to(asked)
                    .exceptionally(failure -> new Answer(503, failure + "\n"))
                    .thenAcceptAsync(answer -> send(exchange, answer), threads);
        } catch (IOException goneMeanwhile) {
            exchange.close();
        } catch (RuntimeException notUnderstood) {
            send(exchange, new Answer(400, notUnderstood + "\n"));
        }
    }

    private boolean isAdmitted(HttpExchange exchange) {
        if (token.isEmpty()) {
            return true;
        }
        String shown = Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization"))
                .orElse("");
        byte[] wanted = ("Bearer " + token.get()).getBytes(StandardCharsets.UTF_8);
        return MessageDigest.isEqual(wanted, shown.getBytes(StandardCharsets.UTF_8));
    }

    private boolean meansAnother(HttpExchange exchange) {
        String meant = Optional.ofNullable(exchange.getRequestHeaders().getFirst(Words.QUORUM_HEADER))
                .orElse(quorum);
        return !quorum.isEmpty() && !meant.equals(quorum);
    }

    private static long within(HttpExchange exchange) {
        String text = Optional.ofNullable(exchange.getRequestHeaders().getFirst(Words.WITHIN_HEADER))
                .orElse("2000");
        return Math.max(1, Long.parseLong(text) * 9 / 10);
    }

    private void send(HttpExchange exchange, Answer answer) {
        byte[] bytes = answer.text().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
        exchange.getResponseHeaders().set(Words.NODE_HEADER, node);
        if (!quorum.isEmpty()) {
            exchange.getResponseHeaders().set(Words.QUORUM_HEADER, quorum);
        }
        leader.get().ifPresent(name -> exchange.getResponseHeaders().set(Words.LEADER_HEADER, name));
        try (exchange) {
            exchange.sendResponseHeaders(answer.status(), bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.getResponseBody().flush();
            drain(exchange.getRequestBody());
        } catch (IOException goneMeanwhile) {
            // Who asked has gone.
        }
    }

    /** What was not read of a request that is refused: else the connection would be reset, and the refusal with it. */
    private static void drain(InputStream rest) throws IOException {
        byte[] some = new byte[8_192];
        int read = 0;
        for (int more = rest.read(some); more >= 0 && read < LONGEST_BODY; more = rest.read(some)) {
            read += more;
        }
    }

    @Override
    public void close() {
        http.stop(0);
        threads.shutdownNow();
    }
}
