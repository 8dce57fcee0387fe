package dev.incumbent.consul;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
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

    private static ServerSocket listening() {
        try {
            return new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The connection on which the next question came, when all of it has come. */
    private Socket asked() throws IOException {
        server.setSoTimeout(60_000);
        Socket connection = server.accept();
        connection.setSoTimeout(60_000);
        InputStream in = connection.getInputStream();
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append(new String(new byte[] {(byte) in.read()}, StandardCharsets.ISO_8859_1));
        }
        in.readNBytes(head.indexOf("PUT") == 0 ? 1 : 0);
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
