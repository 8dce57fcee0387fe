package dev.incumbent.quorum;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.incumbent.coordinator.quorum.wire.Words;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

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
    static Endpoint listen(Member self, Optional<String> token) throws IOException {
        // Without this an answer waits 40 ms for the acknowledgement of its own header.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        // A request that does not arrive whole in so many seconds keeps no thread.
        System.setProperty("sun.net.httpserver.maxReqTime", "10");
        HttpServer http = HttpServer.create(new InetSocketAddress(self.host(), self.port()), BACKLOG);
        ExecutorService threads = Executors.newFixedThreadPool(THREADS, task -> {
            Thread thread = new Thread(task, "incumbent-http");
            thread.setDaemon(true);
            return thread;
        });
        http.setExecutor(threads);
        http.start();
        return new Endpoint(self.name(), token, http, threads);
    }

    /** Every answer names the leader from now on. */
    void name(Supplier<Optional<String>> theLeader) {
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

    private static long within(HttpExchange exchange) {
        String text = Optional.ofNullable(exchange.getRequestHeaders().getFirst(Words.WITHIN_HEADER))
                .orElse("2000");
        return Math.max(1, Long.parseLong(text) * 9 / 10);
    }

    private void send(HttpExchange exchange, Answer answer) {
        byte[] bytes = answer.text().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
        exchange.getResponseHeaders().set(Words.NODE_HEADER, node);
        leader.get().ifPresent(name -> exchange.getResponseHeaders().set(Words.LEADER_HEADER, name));
        try (exchange) {
            exchange.sendResponseHeaders(answer.status(), bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        } catch (IOException goneMeanwhile) {
            // Who asked has gone.
        }
    }

    @Override
    public void close() {
        http.stop(0);
        threads.shutdownNow();
    }
}
