package dev.incumbent.fence.http;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.fence.Sink;
import dev.incumbent.fence.memory.MemorySink;
import dev.incumbent.fence.memory.MemoryStore;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.SinkId;
import dev.incumbent.time.SystemTimeline;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A raise waits for whoever was let in also where its servlet has returned and goes on otherwise. On Tomcat. */
@Timeout(60)
final class AsynchronousServletTest {
    private static final Duration BOUND = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final ElectionName BILLING = new ElectionName("billing");

    private final SystemTimeline timeline = new SystemTimeline();
    private final Sink marks = new MemorySink(new MemoryStore(new SinkId("kept")), timeline, BOUND);
    private final HttpFence fence = HttpFence.over(marks, BOUND, "s3cret", BILLING);
    private final Working servlet = new Working();
    private final HttpClient client = HttpClient.newHttpClient();

    @BeforeEach
    void raiseToSeven() throws Exception {
        assertThat(raise(7, BOUND).status()).isEqualTo(200);
    }

    @AfterEach
    void close() {
        marks.close();
        timeline.close();
    }

    /** Its path says how it works. */
    private static final class Working extends HttpServlet {
        private static final long serialVersionUID = 1L;
        /** What was begun and waits for the test. */
        private final transient BlockingQueue<AsyncContext> begun = new LinkedBlockingQueue<>();
        /** A servlet that waits for the test. */
        private final transient Semaphore waiting = new Semaphore(0);

        private final transient Semaphore released = new Semaphore(0);

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response)
                throws IOException, ServletException {
            switch (request.getPathInfo()) {
                case "/begin" -> begun.add(request.startAsync());
                case "/begin-wrapped" -> begun.add(request.startAsync(request, response));
                case "/begin-unwrapped" ->
                    begun.add(((HttpServletRequestWrapper) request).getRequest().startAsync());
                case "/brief" -> {
                    AsyncContext work = request.startAsync();
                    work.setTimeout(SHORT.toMillis());
                    begun.add(work);
                }
                case "/dispatch-at-once" -> request.startAsync().dispatch("/wait");
                case "/wait-and-begin" -> {
                    await();
                    request.startAsync().dispatch("/wait");
                }
                case "/wait-and-forward" -> {
                    await();
                    request.getRequestDispatcher("/wait").forward(request, response);
                }
                case "/forward" -> request.getRequestDispatcher("/wait").forward(request, response);
                case "/complete-at-once" -> request.startAsync().complete();
                case "/fail" -> throw new ServletException("as the test wants it");
                case "/dispatch-to-failure" -> request.startAsync().dispatch("/fail");
                case "/fail-asynchronously" -> {
                    request.startAsync();
                    throw new ServletException("as the test wants it");
                }
                default -> await();
            }
        }

        private void await() {
            waiting.release();
            released.acquireUninterruptibly();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/begin", "/begin-wrapped", "/begin-unwrapped"})
    void aRaiseWaitsForARequestThatGoesOnAsynchronously(String path) throws Exception {
        try (Service service = new TomcatService(fence, servlet, DispatcherType.REQUEST)) {
            CompletableFuture<HttpResponse<String>> answer = post(service, path);
            AsyncContext work = servlet.begun.take();

            assertThat(raise(8, SHORT))
                    .isEqualTo(new Reply(
                            503, "gave up after 300 ms: 1 requests that were let in are still being handled"));
            work.getResponse().getWriter().print("done");
            work.complete();

            assertThat(raise(8, BOUND).status()).isEqualTo(200);
            assertThat(answer.get(20, SECONDS).body()).isEqualTo("done");
        }
    }

    /** A dispatched request says of itself that it is not asynchronous; and what it begins anew has lost its listeners. */
    @ParameterizedTest
    @ValueSource(strings = {"/dispatch-at-once", "/forward"})
    void aRaiseWaitsForTheServletThatARequestIsDispatchedTo(String path) throws Exception {
        try (Service service = new TomcatService(fence, servlet, DispatcherType.REQUEST)) {
            CompletableFuture<HttpResponse<String>> answer = post(service, path);
            assertThat(servlet.waiting.tryAcquire(20, SECONDS)).isTrue();

            assertThat(raise(8, SHORT).status()).isEqualTo(503);
            servlet.released.release();

            assertThat(raise(8, BOUND).status()).isEqualTo(200);
            assertThat(answer.get(20, SECONDS).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void aRaiseWaitsForWorkThatIsBegunAgain() throws Exception {
        try (Service service = new TomcatService(fence, servlet, DispatcherType.REQUEST)) {
            CompletableFuture<HttpResponse<String>> answer = post(service, "/begin");
            servlet.begun.take().dispatch("/begin");
            AsyncContext again = servlet.begun.take();

            assertThat(raise(8, SHORT).status()).isEqualTo(503);
            again.complete();

            assertThat(raise(8, BOUND).status()).isEqualTo(200);
            assertThat(answer.get(20, SECONDS).statusCode()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @CsvSource({"/complete-at-once, 200", "/brief, 500", "/fail, 500", "/dispatch-to-failure, 500"})
    void whatEndsOtherwiseHasLeft(String path, int status) throws Exception {
        try (Service service = new TomcatService(fence, servlet, DispatcherType.REQUEST)) {
            assertThat(post(service, path).get(20, SECONDS).statusCode()).isEqualTo(status);

            assertThat(raise(8, BOUND).status()).isEqualTo(200);
        }
    }

    /** Tomcat closes the connection, and no listener hears that the work is complete. */
    @Test
    void whoThrowsAfterItBeganAsynchronousWorkHasLeft() throws Exception {
        try (Service service = new TomcatService(fence, servlet, DispatcherType.REQUEST)) {
            assertThat(post(service, "/fail-asynchronously")).failsWithin(20, SECONDS);

            assertThat(raise(8, BOUND).status()).isEqualTo(200);
        }
    }

    /** Else it would wait for the raise that waits for it; a newcomer does. */
    @ParameterizedTest
    @ValueSource(strings = {"/wait-and-begin", "/wait-and-forward"})
    void whoIsInsideIsNotAskedForItsTokenAgain(String path) throws Exception {
        try (Service service = new TomcatService(fence, servlet, DispatcherType.values())) {
            CompletableFuture<HttpResponse<String>> answer = post(service, path);
            servlet.waiting.acquire();
            CompletableFuture<Reply> raise = CompletableFuture.supplyAsync(() -> unchecked(() -> raise(8, BOUND)));
            CompletableFuture<Integer> newcomer = waitingNewcomer();

            servlet.released.release();
            assertThat(servlet.waiting.tryAcquire(10, SECONDS)).isTrue();
            servlet.released.release();

            assertThat(answer.get(20, SECONDS).statusCode()).isEqualTo(200);
            assertThat(raise.get(20, SECONDS).status()).isEqualTo(200);
            assertThat(newcomer.get(20, SECONDS)).isEqualTo(409);
        }
    }

    /** The status for one that comes while a raise waits: it is answered after the raise. */
    private CompletableFuture<Integer> waitingNewcomer() throws Exception {
        while (true) {
            CompletableFuture<Integer> status = CompletableFuture.supplyAsync(() -> unchecked(() ->
                    fence.enter(List.of("billing=6")).refusal().orElseThrow().status()));
            try {
                assertThat(status.get(SHORT.toMillis(), MILLISECONDS)).isEqualTo(409);
            } catch (TimeoutException waits) {
                return status;
            }
        }
    }

    private static <T> T unchecked(Callable<T> call) {
        try {
            return call.call();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private CompletableFuture<HttpResponse<String>> post(Service service, String path) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + service.port() + path))
                .header("Fencing-Token", "billing=7")
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        return client.sendAsync(request, HttpResponse.BodyHandlers.ofString());
    }

    private Reply raise(long token, Duration patience) throws IOException, InterruptedException {
        return fence.administer(
                "PUT",
                "/incumbent/fence/billing",
                List.of("Bearer s3cret"),
                () -> token + " candidate:ada@host-1-x",
                patience);
    }
}
