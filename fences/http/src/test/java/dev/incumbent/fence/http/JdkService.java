package dev.incumbent.fence.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** On the JDK's server. */
final class JdkService implements Service {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Ledger ledger;

    JdkService(HttpFence fence, Ledger ledger) {
        this.ledger = ledger;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::handle).getFilters().add(fence.filter());
        server.setExecutor(threads);
        server.start();
    }

    private void handle(HttpExchange exchange) throws IOException {
        if (HttpFence.isSafe(exchange.getRequestMethod())) {
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
            return;
        }
        exchange.sendResponseHeaders(200, 0);
        try (var out = exchange.getResponseBody();
                var in = new BufferedReader(new InputStreamReader(exchange.getRequestBody(), StandardCharsets.UTF_8))) {
            out.write("admitted\n".getBytes(StandardCharsets.UTF_8));
            out.flush();
            ledger.take(in);
            out.write("done\n".getBytes(StandardCharsets.UTF_8));
        }
    }

    @Override
    public int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
