package dev.incumbent.coordinator.dynamodb;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An HTTP proxy before the server, which notes what each request asks for, and whose credentials it bears. */
final class SignatureLog implements AutoCloseable {
    private static final Pattern KEY = Pattern.compile("Credential=([^/]+)/");

    private final int target;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<String> signers = new CopyOnWriteArrayList<>();
    private final Set<String> operations = ConcurrentHashMap.newKeySet();

    SignatureLog(int target) throws IOException {
        this.target = target;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::pass);
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    /** Of the last request: the access key, and the session's token. */
    String last() {
        return signers.get(signers.size() - 1);
    }

    /** What was asked for, as AWS's rights name it; a transaction by its parts. */
    Set<String> operations() {
        return Set.copyOf(operations);
    }

    private void pass(HttpExchange exchange) throws IOException {
        signers.add(signer(exchange));
        byte[] body = exchange.getRequestBody().readAllBytes();
        note(
                exchange.getRequestHeaders().getFirst("X-Amz-Target").replaceFirst(".*\\.", ""),
                new String(body, StandardCharsets.UTF_8));
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + target + "/"))
                .POST(HttpRequest.BodyPublishers.ofByteArray(body));
        for (String name :
                List.of("Authorization", "X-Amz-Date", "X-Amz-Target", "Content-Type", "X-Amz-Security-Token")) {
            Optional.ofNullable(exchange.getRequestHeaders().getFirst(name)).ifPresent(it -> request.header(name, it));
        }
        try {
            HttpResponse<byte[]> answer = client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
            for (String name : List.of("x-amz-crc32", "x-amzn-requestid", "content-type")) {
                answer.headers()
                        .firstValue(name)
                        .ifPresent(it -> exchange.getResponseHeaders().add(name, it));
            }
            exchange.sendResponseHeaders(answer.statusCode(), answer.body().length);
            exchange.getResponseBody().write(answer.body());
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        } finally {
            exchange.close();
        }
    }

    private void note(String operation, String body) {
        if (!operation.equals("TransactWriteItems")) {
            operations.add(operation);
            return;
        }
        for (String part : List.of("Put", "Update", "Delete", "ConditionCheck")) {
            if (body.contains("{\"" + part + "\":")) {
                operations.add(part + "Item");
            }
        }
    }

    private static String signer(HttpExchange exchange) {
        String authorization = Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization"))
                .orElse("");
        Matcher key = KEY.matcher(authorization);
        return (key.find() ? key.group(1) : "nobody") + " "
                + exchange.getRequestHeaders().getFirst("X-Amz-Security-Token");
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
