package dev.incumbent.fence.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import dev.incumbent.fence.memory.MemorySink;
import dev.incumbent.fence.memory.MemoryStore;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.model.SinkId;
import dev.incumbent.time.SystemTimeline;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is let in, who must wait, and for how long. */
final class HttpFenceTest {
    private static final Duration BOUND = Duration.ofSeconds(5);
    private static final Duration SHORT = Duration.ofMillis(100);
    private static final ElectionName BILLING = new ElectionName("billing");
    private static final String TOKEN_7 = "billing=7";

    private final SystemTimeline timeline = new SystemTimeline();
    private final Sink marks = new MemorySink(new MemoryStore(new SinkId("kept")), timeline, BOUND);
    private final HttpFence fence = HttpFence.over(marks, BOUND);

    @AfterEach
    void close() {
        marks.close();
        timeline.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "PATCH", "DELETE", "PROPPATCH", "get"})
    void whateverMayWriteNeedsAToken(String method) throws Exception {
        assertThat(status(method)).isEqualTo(428);
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "OPTIONS"})
    void whatOnlyReadsNeedsNone(String method) throws Exception {
        assertThat(status(method)).isEqualTo(200);
    }

    private int status(String method) throws Exception {
        try (Service service = new JdkService(fence, new Ledger())) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + service.port() + "/ledger"))
                    .method(method, HttpRequest.BodyPublishers.noBody())
                    .build();
            return HttpClient.newHttpClient()
                    .send(request, HttpResponse.BodyHandlers.ofString())
                    .statusCode();
        }
    }

    @Test
    void aFenceForOneElectionKeepsItsSecret() throws Exception {
        for (HttpFence strict : List.of(
                fence.raisedBy("s3cret").only(BILLING), fence.only(BILLING).raisedBy("s3cret"))) {
            assertThat(raise(strict, "", 7, BOUND).status()).isEqualTo(401);
            assertThat(raise(strict, "Bearer other", 7, BOUND).status()).isEqualTo(401);
            assertThat(raise(strict, "Bearer s3cret", 7, BOUND).status()).isEqualTo(200);
            assertThat(refusal(strict, "reports=7").map(Reply::status)).contains(428);
        }
    }

    /** However many filters were made of it: a raise through one waits for whom another let in. */
    @Test
    void allOfOneFenceHaveOneTurnstile() throws Exception {
        raise(fence, "", 7, BOUND);
        for (HttpFence other : List.of(fence.only(BILLING), fence.raisedBy("s3cret"))) {
            try (HttpFence.Passage inside = other.enter(List.of(TOKEN_7))) {
                assertThat(inside.refusal()).isEmpty();

                assertThat(raise(fence, "", 8, SHORT).status()).isEqualTo(503);
            }
        }
        assertThat(raise(fence, "", 8, SHORT).status()).isEqualTo(200);
    }

    @Test
    void aRaiseWaitsNoLongerThanItsCallerDoes() throws Exception {
        raise(fence, "", 7, BOUND);
        try (HttpFence.Passage inside = fence.enter(List.of(TOKEN_7))) {
            long before = timeline.nanos();

            Reply reply = raise(fence, "", 8, SHORT);

            assertThat(inside.refusal()).isEmpty();
            assertThat(reply.text())
                    .isEqualTo("gave up after 100 ms: 1 requests that were let in are still being handled");
            assertThat(Duration.ofNanos(timeline.nanos() - before)).isBetween(SHORT, BOUND.dividedBy(2));
        }
    }

    @Test
    void whoIsRefusedHoldsUpNobody() throws Exception {
        raise(fence, "", 7, BOUND);

        assertThat(refusal(fence, "billing=6").map(Reply::status)).contains(409);
        assertThat(refusal(fence, "billing=8").map(Reply::status)).contains(428);

        assertThat(raise(fence, "", 8, SHORT).status()).isEqualTo(200);
    }

    /** Else one request that leaves twice would count as another's leaving. */
    @Test
    void whoLeavesTwiceHasLeftOnce() throws Exception {
        Turnstiles turnstiles = new Turnstiles();
        Runnable first = turnstiles.pass(BILLING, SHORT).orElseThrow();
        Runnable second = turnstiles.pass(BILLING, SHORT).orElseThrow();
        assertThat(turnstiles.inside(BILLING)).isEqualTo(2);

        first.run();
        first.run();

        assertThat(turnstiles.inside(BILLING)).isEqualTo(1);
        assertThat(turnstiles.closeFor(BILLING, SHORT)).isEmpty();
        second.run();
        assertThat(turnstiles.closeFor(BILLING, SHORT)).isPresent();
    }

    @Test
    void aServiceBeneathAPathIsRaisedThere() throws Exception {
        try (Service service = new JdkService(fence, new Ledger());
                Sink sink = HttpSink.of("http://127.0.0.1:" + service.port() + "/ledger/", Map.of(), BOUND)) {
            assertThat(sink.raise(BILLING, mark(7)).toCompletableFuture().get(10, TimeUnit.SECONDS))
                    .isEqualTo(new Raise.Raised(mark(7)));
            assertThat(sink.marks().toCompletableFuture().get(10, TimeUnit.SECONDS))
                    .containsExactly(Map.entry(BILLING, mark(7)));
        }
    }

    /** Whoever says that another mark is in force has not raised this one. */
    @Test
    void anAnswerWithAnotherMarkIsNoRaise() throws Exception {
        HttpServer liar = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 5);
        liar.createContext("/", exchange -> {
            byte[] text = MarkText.of(mark(9)).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, text.length);
            exchange.getResponseBody().write(text);
            exchange.close();
        });
        liar.start();
        try (Sink sink = HttpSink.of("http://127.0.0.1:" + liar.getAddress().getPort(), Map.of(), BOUND)) {
            assertThatThrownBy(() ->
                            sink.raise(BILLING, mark(8)).toCompletableFuture().get(10, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(SinkException.class);
        } finally {
            liar.stop(0);
        }
    }

    private static Reply raise(HttpFence through, String authorization, long token, Duration patience)
            throws InterruptedException {
        return through.administer("PUT", "/incumbent/fence/billing", authorization, MarkText.of(mark(token)), patience);
    }

    private static Optional<Reply> refusal(HttpFence through, String header) throws InterruptedException {
        try (HttpFence.Passage passage = through.enter(List.of(header))) {
            return passage.refusal();
        }
    }

    private static Mark mark(long token) {
        return new Mark(new FencingToken(token), MarkOwner.ofCandidate(CandidateId.of("ada", "host", 1, "x")));
    }
}
