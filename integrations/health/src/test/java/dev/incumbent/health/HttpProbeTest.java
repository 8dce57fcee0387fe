package dev.incumbent.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A real server: that answers well, otherwise, or not at all. */
@Timeout(300)
class HttpProbeTest {
    private final HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    private volatile int code = 200;
    private volatile String asked = "";
    private volatile @Nullable String upgrade;

    HttpProbeTest() throws IOException {}

    @BeforeEach
    void start() {
        server.createContext("/health", exchange -> {
            asked = exchange.getRequestMethod() + " " + exchange.getRequestURI();
            upgrade = exchange.getRequestHeaders().getFirst("Upgrade");
            exchange.getResponseHeaders().add("Location", "/elsewhere");
            exchange.sendResponseHeaders(code, -1);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private URI uri(String rest) {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + rest);
    }

    @Test
    void whatAnswers2xxIsWellAndNothingElseIs() throws InterruptedException {
        HttpProbe probe = HttpProbe.of(uri("/health?key=secret"));
        assertThat(probe.ask(0)).isEqualTo(Answer.well("answers 200"));
        assertThat(asked).isEqualTo("GET /health?key=secret");
        assertThat(upgrade).as("HTTP/1.1 is enough").isNull();
        code = 204;
        assertThat(probe.ask(0)).isEqualTo(Answer.well("answers 204"));
        code = 302;
        assertThat(probe.ask(0)).as("no redirect is followed").isEqualTo(Answer.sick("answers 302"));
        code = 503;
        assertThat(probe.ask(0)).isEqualTo(Answer.sick("answers 503"));
    }

    /** The JDK takes the name from the file {@code hosts} of the test's resources. */
    @Test
    void anAddressThatRefusesConnectionsIsLeftForTheNext() throws InterruptedException {
        URI several = URI.create("http://several.test:" + server.getAddress().getPort() + "/health");

        assertThat(HttpProbe.of(several).ask(0)).isEqualTo(Answer.well("answers 200"));
    }

    /** The server writes on until the probe closes the connection. */
    @Test
    void aBodyIsNotReadHoweverLongItIs() throws InterruptedException {
        CountDownLatch closed = new CountDownLatch(1);
        server.createContext("/endless", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            try (OutputStream body = exchange.getResponseBody()) {
                while (true) {
                    body.write(new byte[1 << 16]);
                }
            } catch (IOException gone) {
                closed.countDown();
            }
        });

        assertThat(HttpProbe.of(uri("/endless")).ask(0)).isEqualTo(Answer.well("answers 200"));

        assertThat(closed.await(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void itsNameDoesNotShowTheQuery() {
        assertThat(HttpProbe.of(URI.create("https://host:8443/health?key=secret"))
                        .name())
                .isEqualTo("https://host:8443/health");
    }

    @Test
    void whatRefusesConnectionsIsSick() throws Exception {
        int port;
        try (ServerSocket closed = new ServerSocket(0)) {
            port = closed.getLocalPort();
        }

        Answer answer =
                HttpProbe.of(URI.create("http://127.0.0.1:" + port + "/")).ask(0);

        assertThat(answer.isWell()).isFalse();
        assertThat(answer.why()).startsWith("does not answer: ").doesNotContain("null");
    }

    @Test
    void whoIsInterruptedWaitsForNoAnswer() throws Exception {
        CountDownLatch connected = new CountDownLatch(1);
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            HttpProbe probe = HttpProbe.of(URI.create("http://127.0.0.1:" + silent.getLocalPort() + "/"));
            Thread accepting = new Thread(() -> {
                try {
                    silent.accept();
                    connected.countDown();
                } catch (IOException closed) {
                    // The test is over.
                }
            });
            accepting.setDaemon(true);
            accepting.start();
            FutureTask<String> asking = new FutureTask<>(() -> {
                try {
                    return probe.ask(0).why();
                } catch (InterruptedException e) {
                    return "interrupted";
                }
            });
            Thread thread = new Thread(asking);
            thread.setDaemon(true);
            thread.start();
            assertThat(connected.await(60, TimeUnit.SECONDS)).isTrue();

            thread.interrupt();

            assertThat(asking.get(60, TimeUnit.SECONDS)).isEqualTo("interrupted");
        }
    }

    @Test
    void whatIsNoAddressOfHttpOrBearsAPasswordIsRefusedWithoutShowingIt() {
        assertThatThrownBy(() -> HttpProbe.of(URI.create("ftp://host/secret")))
                .hasMessageContaining("such as http://")
                .hasMessageNotContaining("secret");
        assertThatThrownBy(() -> HttpProbe.of(URI.create("http://me:secret@host/")))
                .hasMessageContaining("no password")
                .hasMessageNotContaining("secret");
        assertThatThrownBy(() -> HttpProbe.of(URI.create("http:/health"))).hasMessageContaining("names a host");
        assertThatThrownBy(() -> HttpProbe.of(URI.create("/health"))).hasMessageContaining("such as http://");
    }
}
