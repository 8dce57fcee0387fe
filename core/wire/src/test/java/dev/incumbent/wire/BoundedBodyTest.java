package dev.incumbent.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the JDK's client does with answers below, at and above the limit. */
@Timeout(60)
final class BoundedBodyTest {
    private static final int LIMIT = 100_000;
    private static final String HEAD = "HTTP/1.1 200 OK\r\nConnection: close\r\n";

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CompletableFuture<IOException> cutOff = new CompletableFuture<>();
    private ServerSocket server;

    @BeforeEach
    void listen() throws IOException {
        server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        Future<?> unused = threads.submit(this::serve);
    }

    @AfterEach
    void close() throws IOException {
        server.close();
        threads.shutdownNow();
    }

    private void serve() {
        while (true) {
            try (Socket one = server.accept()) {
                answer(one);
            } catch (IOException e) {
                if (server.isClosed()) {
                    return; // else a client has gone, as it should
                }
            }
        }
    }

    /** {@code GET /text?N} gets N letters of two bytes each, {@code GET /endless} bytes for ever. */
    private void answer(Socket one) throws IOException {
        BufferedReader request =
                new BufferedReader(new InputStreamReader(one.getInputStream(), StandardCharsets.US_ASCII));
        String path = request.readLine().split(" ", 3)[1];
        while (!request.readLine().isEmpty()) {
            // Headers, of which none matters.
        }
        if (path.equals("/endless")) {
            sendForEver(one.getOutputStream());
        } else {
            byte[] text =
                    "ü".repeat(Integer.parseInt(path.replace("/text?", ""))).getBytes(StandardCharsets.UTF_8);
            one.getOutputStream()
                    .write((HEAD + "Content-Length: " + text.length + "\r\n\r\n").getBytes(StandardCharsets.UTF_8));
            one.getOutputStream().write(text);
        }
    }

    private void sendForEver(OutputStream body) throws IOException {
        body.write((HEAD + "\r\n").getBytes(StandardCharsets.UTF_8));
        try {
            while (true) {
                body.write(new byte[1_000]);
            }
        } catch (IOException e) {
            cutOff.complete(e);
        }
    }

    @Test
    void anAnswerUpToTheLimitIsWhole() throws Exception {
        assertThat(get("/text?0").body()).isEmpty();
        assertThat(get("/text?1").body()).isEqualTo("ü");
        assertThat(get("/text?" + LIMIT / 2).body()).isEqualTo("ü".repeat(LIMIT / 2));
    }

    @Test
    void anAnswerOverTheLimitFailsItsCallAndNoOther() throws Exception {
        assertThatThrownBy(() -> get("/text?" + (LIMIT / 2 + 1)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the answer is longer than 100000 bytes");

        assertThat(get("/text?2").body()).isEqualTo("üü");
    }

    @Test
    void anAnswerThatNeverEndsIsCutOffAndItsSenderIsNotReadAnyMore() throws Exception {
        assertThatThrownBy(() -> get("/endless")).hasMessageContaining("the answer is longer than 100000 bytes");

        assertThat(cutOff.get(30, TimeUnit.SECONDS)).isNotNull();
    }

    @Test
    void behindTheLimitNothingIsReadAnyMore() {
        HttpResponse.BodySubscriber<String> body = BoundedBody.ofAtMost(3)
                .apply(new Answer(200, HttpHeaders.of(Map.of(), (name, value) -> true), HttpClient.Version.HTTP_1_1));
        ByteBuffer tooLong = ByteBuffer.wrap(new byte[4]);
        ByteBuffer behind = ByteBuffer.wrap(new byte[1]);

        body.onNext(List.of(tooLong, behind));

        assertThat(body.getBody().toCompletableFuture()).isCompletedExceptionally();
        assertThat(behind.remaining()).isEqualTo(1);
    }

    private record Answer(int statusCode, HttpHeaders headers, HttpClient.Version version)
            implements HttpResponse.ResponseInfo {}

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + server.getLocalPort() + path);
        return client.send(HttpRequest.newBuilder(uri).build(), BoundedBody.ofAtMost(LIMIT));
    }
}
