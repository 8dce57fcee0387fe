package dev.incumbent.fence.http;

import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** The fence as a filter of the JDK's server. */
final class JdkServerFilter extends Filter {
    private final HttpFence fence;

    JdkServerFilter(HttpFence fence) {
        this.fence = fence;
    }

    @Override
    public String description() {
        return "refuses requests whose fencing token is not in force";
    }

    @Override
    public void doFilter(HttpExchange exchange, Chain chain) throws IOException {
        String path = exchange.getRequestURI().getPath();
        try {
            if (HttpFence.isOfTheFence(path)) {
                answer(exchange, administered(exchange, path));
            } else if (HttpFence.isSafe(exchange.getRequestMethod())) {
                chain.doFilter(exchange);
            } else {
                fenced(exchange, chain);
            }
        } catch (InterruptedException stopping) {
            try {
                answer(exchange, Reply.STOPPING);
            } finally {
                Thread.currentThread()
                        .interrupt(); // not before: an interrupted thread closes the connection that it writes to
            }
        }
    }

    private void fenced(HttpExchange exchange, Chain chain) throws IOException, InterruptedException {
        List<String> headers = exchange.getRequestHeaders().getOrDefault(Bearing.HEADER, List.of());
        try (HttpFence.Passage passage = fence.enter(headers)) {
            if (passage.refusal().isPresent()) {
                answer(exchange, passage.refusal().get());
            } else {
                chain.doFilter(exchange);
            }
        }
    }

    private Reply administered(HttpExchange exchange, String path) throws IOException, InterruptedException {
        return fence.administer(
                exchange.getRequestMethod(),
                path,
                exchange.getRequestHeaders().getOrDefault("Authorization", List.of()),
                () -> new String(exchange.getRequestBody().readNBytes(Patience.LONGEST_BODY), StandardCharsets.UTF_8),
                Patience.of(Optional.ofNullable(exchange.getRequestHeaders().getFirst(Patience.HEADER))
                        .orElse("")));
    }

    private static void answer(HttpExchange exchange, Reply reply) throws IOException {
        byte[] text = (reply.text().strip() + "\n").getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
        if (reply.isRefusal()) {
            exchange.getResponseHeaders().set(Reply.HEADER, Integer.toString(reply.status()));
        }
        exchange.sendResponseHeaders(reply.status(), text.length);
        exchange.getResponseBody().write(text);
        exchange.getResponseBody()
                .flush(); // closing first reads the rest of the request, which its sender may keep until it is answered
        exchange.close();
    }
}
