package dev.incumbent.coordinator.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An answer without an end, and a change without one, are read up to a bound. */
class LongAnswersTest {
    private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final ServerSocket server = listening();
    private final Transport transport = Transport.open(
            new ConfigBuilder(Config.empty())
                    .withMasterUrl("http://127.0.0.1:" + server.getLocalPort())
                    .withRequestRetryBackoffLimit(0)
                    .build(),
            () -> 0);

    @AfterEach
    void close() throws IOException {
        transport.close();
        server.close();
    }

    @Test
    void anAnswerWithoutAnEndFails() throws IOException {
        CompletableFuture<Answer> answer = transport.send(Ask.get("/apis"), PATIENCE_NANOS);

        pourUntilItIsLeft();

        assertThatThrownBy(answer::join)
                .isInstanceOf(CompletionException.class)
                .hasMessageContaining("the answer is longer than 134217728 bytes");
    }

    @Test
    void aChangeWithoutAnEndEndsItsStream() throws IOException {
        CompletableFuture<Ending> ended = new CompletableFuture<>();
        ChangeStream stream =
                ChangeStream.open(transport, Ask.get("/apis?watch=true"), PATIENCE_NANOS, new ChangeStream.Listener() {
                    @Override
                    public void began(ChangeStream which) {}

                    @Override
                    public void changed(ChangeStream by, String type, Stored object) {}

                    @Override
                    public void ended(ChangeStream which, Ending ending) {
                        ended.complete(ending);
                    }
                });

        pourUntilItIsLeft();

        assertThat(ended.join()).isEqualTo(Ending.BROKEN);
        stream.close();
    }

    /** A gigabyte is more than it takes. */
    private void pourUntilItIsLeft() throws IOException {
        byte[] piece = new byte[1 << 20];
        Arrays.fill(piece, (byte) ' ');
        try (Socket client = server.accept();
                OutputStream out = client.getOutputStream()) {
            out.write("HTTP/1.1 200 OK\r\nContent-Length: 2000000000\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 1_024; i++) {
                            out.write(piece);
                        }
                    })
                    .isInstanceOf(IOException.class);
        }
    }

    private static ServerSocket listening() {
        try {
            return new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
