package dev.incumbent.fence.etcd;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/** Hands requests on to an etcd's gateway, and counts the bytes of its answers. Thread-safe. */
final class CountingGateway implements AutoCloseable {
    private final HttpClient client = HttpClient.newHttpClient();
    private final AtomicLong answered = new AtomicLong();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer listener;
    private final String target;

    private CountingGateway(String target) throws IOException {
        this.target = target;
        listener = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        listener.createContext("/", this::handOn);
        listener.setExecutor(threads);
        listener.start();
    }

    static CountingGateway to(String hostPort) throws IOException {
        return new CountingGateway(hostPort);
    }

    String hostPort() {
        return "127.0.0.1:" + listener.getAddress().getPort();
    }

    /** How many bytes were answered since the last time that somebody asked. */
    long answered() {
        return answered.getAndSet(0);
    }

    private void handOn(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + target + exchange.getRequestURI()))
                .method(exchange.getRequestMethod(), HttpRequest.BodyPublishers.ofByteArray(body))
                .build();
        try (exchange) {
            HttpResponse<byte[]> answer = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
            answered.addAndGet(answer.body().length);
            exchange.sendResponseHeaders(answer.statusCode(), answer.body().length);
            exchange.getResponseBody().write(answer.body());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        listener.stop(0);
        threads.shutdownNow();
    }
}
