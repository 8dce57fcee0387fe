package dev.incumbent.consul;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Questions to a server that takes them and does not answer. */
class ExchangeTest {
    private static final Question READ = Question.get("/v1/kv/a", "reading a", 1);
    private static final Question WRITE = Question.put("/v1/kv/a", "b", "writing a", 1);

    private final List<Runnable> deadlines = new CopyOnWriteArrayList<>();
    private final ServerSocket server = listening();
    private final ConsulClient client = new ConsulClient(
            ConsulAddress.of("consul://127.0.0.1:" + server.getLocalPort(), "coordinator", Map.of()),
            "the store",
            (nanos, task) -> {
                deadlines.add(task);
                return () -> deadlines.remove(task);
            });

    @AfterEach
    void close() throws IOException {
        client.close();
        server.close();
    }

    @Test
    void whatIsLateTakesItsConnectionWithIt() throws IOException {
        CompletableFuture<Answer> write = client.ask(WRITE).toCompletableFuture();
        try (Socket connection = asked()) {
            deadlines.forEach(Runnable::run);

            assertThat(failure(write).kind()).isEqualTo(ConsulException.Kind.LATE);
            assertThat(failure(write).mayHaveApplied()).isTrue();
            assertThat(isEnded(connection)).isTrue();
        }
    }

    @Test
    void aCloseEndsWhatWasAskedAndItsConnection() throws IOException {
        CompletableFuture<Answer> write = client.ask(WRITE).toCompletableFuture();
        try (Socket connection = asked()) {
            client.close();

            assertThat(failure(write).kind()).isEqualTo(ConsulException.Kind.CLOSED);
            assertThat(failure(write).mayHaveApplied()).isTrue();
            assertThat(isEnded(connection)).isTrue();
        }
        assertThat(deadlines).isEmpty();
    }

    @Test
    void whatOnlyReadsOrWasNotSentHasNotApplied() throws IOException {
        CompletableFuture<Answer> read = client.ask(READ).toCompletableFuture();
        try (Socket connection = asked()) {
            deadlines.forEach(Runnable::run);
            assertThat(failure(read).mayHaveApplied()).isFalse();
            assertThat(isEnded(connection)).isTrue();
        }

        client.close();

        ConsulException unsent = failure(client.ask(WRITE).toCompletableFuture());
        assertThat(unsent.kind()).isEqualTo(ConsulException.Kind.CLOSED);
        assertThat(unsent.mayHaveApplied()).isFalse();
    }

    @Test
    void anAnswerWithoutAnEndIsReadUpToABound() throws IOException {
        CompletableFuture<Answer> read = client.ask(READ).toCompletableFuture();
        try (Socket connection = asked()) {
            OutputStream out = connection.getOutputStream();
            out.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));

            assertThatThrownBy(() -> pour(out)).isInstanceOf(IOException.class);

            assertThat(failure(read)).hasMessageContaining("the answer is longer than 67108864 bytes");
            assertThat(failure(read).mayHaveApplied()).isFalse();
        }
    }

    @Test
    void only24QuestionsAreUnderWayAndUrgentOnesBesideThem() throws IOException {
        for (int i = 0; i < 30; i++) {
            CompletableFuture<Answer> unused = client.ask(READ).toCompletableFuture();
        }
        CompletableFuture<Answer> unusedToo = client.ask(
                        Question.get("/v1/session/renew", "renewing", 1).urgently())
                .toCompletableFuture();

        List<String> asked = new ArrayList<>();
        List<Socket> connections = new ArrayList<>();
        for (int i = 0; i < 25; i++) {
            connections.add(asked(asked));
        }

        assertThat(asked)
                .filteredOn(line -> line.equals("GET /v1/kv/a HTTP/1.1"))
                .hasSize(24);
        assertThat(asked).contains("GET /v1/session/renew HTTP/1.1");
        for (Socket connection : connections) {
            connection.close();
        }
    }

    /** As much as it takes. */
    private static void pour(OutputStream out) throws IOException {
        byte[] piece = new byte[1 << 20];
        for (int i = 0; i < 900; i++) {
            out.write(piece);
        }
    }

    private static ServerSocket listening() {
        try {
            return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The connection on which the next question came, when all of it has come. */
    private Socket asked() throws IOException {
        return asked(new ArrayList<>());
    }

    /** The same, which adds the first line of the question. */
    private Socket asked(List<String> lines) throws IOException {
        server.setSoTimeout(60_000);
        Socket connection = server.accept();
        connection.setSoTimeout(60_000);
        InputStream in = connection.getInputStream();
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append(new String(new byte[] {(byte) in.read()}, StandardCharsets.ISO_8859_1));
        }
        in.readNBytes(head.indexOf("PUT") == 0 ? 1 : 0);
        lines.add(head.substring(0, head.indexOf("\r\n")));
        return connection;
    }

    /** Within a minute. */
    private static boolean isEnded(Socket connection) throws IOException {
        try {
            return connection.getInputStream().read() < 0;
        } catch (SocketException reset) {
            return true;
        }
    }

    /** How it ended, within a minute. */
    private static ConsulException failure(CompletableFuture<Answer> reply) {
        CompletableFuture<Answer> bounded = reply.copy().orTimeout(1, TimeUnit.MINUTES);
        CompletionException ended = catchThrowableOfType(CompletionException.class, bounded::join);
        if (ended.getCause() instanceof ConsulException known) {
            return known;
        }
        throw ended;
    }
}
