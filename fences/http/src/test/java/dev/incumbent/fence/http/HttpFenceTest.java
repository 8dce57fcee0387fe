package dev.incumbent.fence.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.incumbent.fence.MarksRead;
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
import java.lang.reflect.Proxy;
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
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is let in, who must wait, and for how long. */
final class HttpFenceTest {
    private static final Duration BOUND = Duration.ofSeconds(5);
    private static final Duration SHORT = Duration.ofMillis(100);
    private static final ElectionName BILLING = new ElectionName("billing");
    private static final ElectionName REPORTS = new ElectionName("reports");
    private static final String SECRET = "Bearer s3cret";
    private static final String TOKEN_7 = "billing=7";

    private final SystemTimeline timeline = new SystemTimeline();
    private final Sink marks = new MemorySink(new MemoryStore(new SinkId("kept")), timeline, BOUND);
    private final HttpFence fence = HttpFence.over(marks, BOUND, "s3cret", BILLING, REPORTS);

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
    @ValueSource(strings = {"GET", "HEAD", "OPTIONS", "TRACE"})
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

    @ParameterizedTest
    @ValueSource(strings = {"", " \n", "two\nlines"})
    void aFenceWithoutASecretOrAnElectionIsNone(String secret) {
        assertThatThrownBy(() -> HttpFence.over(marks, BOUND, secret, BILLING))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("the fence's secret ")
                .hasMessageNotContaining("lines");
        assertThat(HttpFence.class.getMethods())
                .filteredOn(method -> method.getReturnType() == HttpFence.class)
                .extracting(method -> List.of(method.getParameterTypes()))
                .containsExactly(
                        List.of(Sink.class, Duration.class, String.class, ElectionName.class, ElectionName[].class));
    }

    @Test
    void aMarkThatCannotBeReadLetsNobodyInAndIsTold() throws Exception {
        marks.raise(BILLING, mark(7)).toCompletableFuture().get();
        Sink spoilt = (Sink) Proxy.newProxyInstance(
                Sink.class.getClassLoader(), new Class<?>[] {Sink.class}, (proxy, method, arguments) -> {
                    MarksRead read = new MarksRead(Map.of(BILLING, mark(7)), Map.of(REPORTS, "it is\nspoilt"));
                    return method.getName().equals("marks")
                            ? CompletableFuture.completedFuture(read)
                            : method.invoke(marks, arguments);
                });
        HttpFence over = HttpFence.over(spoilt, BOUND, "s3cret", BILLING, REPORTS);

        assertThat(refusal(over, "reports=7").map(Reply::status)).contains(503);
        assertThat(refusal(over, TOKEN_7)).isEmpty();
        try (Service service = new JdkService(over, new Ledger());
                Sink sink = HttpSink.of(
                        "http://127.0.0.1:" + service.port(), Map.of("INCUMBENT_HTTP_SECRET", "s3cret"), BOUND)) {
            assertThat(sink.marks().toCompletableFuture().get(10, TimeUnit.SECONDS))
                    .isEqualTo(new MarksRead(Map.of(BILLING, mark(7)), Map.of(REPORTS, "it is spoilt")));
        }
    }

    @Test
    void onlyWhoSendsTheSecretRaises() throws Exception {
        for (String other : List.of("", "Bearer", "Bearer ", "Bearer other", "s3cret", "Bearer s3cret2")) {
            assertThat(raise(fence, other, 7, BOUND).status()).as(other).isEqualTo(401);
        }
        HttpFence withNewline = HttpFence.over(marks, BOUND, "s3cret\n", BILLING);
        assertThat(raise(withNewline, SECRET, 7, BOUND).status()).isEqualTo(200);
    }

    /** A proxy in front may have looked at the other one. */
    @Test
    void whoSendsTheSecretAndSomethingElseDoesNotRaise() throws Exception {
        for (List<String> shown : List.of(
                List.<String>of(),
                List.of(SECRET, "Bearer other"),
                List.of("Bearer other", SECRET),
                List.of(SECRET, SECRET))) {
            assertThat(fence.administer("PUT", "/incumbent/fence/billing", shown, () -> MarkText.of(mark(7)), BOUND)
                            .status())
                    .as(shown.toString())
                    .isEqualTo(401);
        }
    }

    @Test
    void theBodyOfAStrangersRequestIsNotRead() throws Exception {
        assertThat(fence.administer(
                                "PUT",
                                "/incumbent/fence/billing",
                                List.of("Bearer other"),
                                () -> {
                                    throw new AssertionError("it was read");
                                },
                                BOUND)
                        .status())
                .isEqualTo(401);
    }

    @Test
    void theLeaderOfAnotherElectionNeitherWritesNorRaises() throws Exception {
        HttpFence forBilling = HttpFence.over(marks, BOUND, "s3cret", BILLING);
        String body = MarkText.of(mark(7));

        Reply raise = forBilling.administer("PUT", "/incumbent/fence/reports", List.of(SECRET), () -> body, BOUND);

        assertThat(raise).isEqualTo(new Reply(404, "the leader of reports may not write here"));
        assertThat(marks.marks().toCompletableFuture().get().marks()).isEmpty();
        assertThat(refusal(forBilling, "reports=7").map(Reply::status)).contains(428);
    }

    /** Though there are many elections. */
    @Test
    void aRaiseWaitsForRequestsOfItsOwnElectionAlone() throws Exception {
        ElectionName[] elections = IntStream.range(0, 1_000)
                .mapToObj(i -> new ElectionName("e" + i))
                .toArray(ElectionName[]::new);
        HttpFence many = HttpFence.over(marks, BOUND, "s3cret", BILLING, elections);
        raise(many, SECRET, 7, BOUND);
        try (HttpFence.Passage inside = many.enter(List.of(TOKEN_7))) {
            assertThat(inside.refusal()).isEmpty();
            for (ElectionName election : elections) {
                String path = "/incumbent/fence/" + election;
                assertThat(many.administer("PUT", path, List.of(SECRET), () -> MarkText.of(mark(7)), SHORT)
                                .status())
                        .as(path)
                        .isEqualTo(200);
            }
            assertThat(raise(many, SECRET, 8, SHORT).status()).isEqualTo(503);
        }
    }

    @Test
    void whereTheMarksCannotBeReadNothingThatWritesIsHandled() throws Exception {
        raise(fence, SECRET, 7, BOUND);
        marks.close();

        assertThat(refusal(fence, TOKEN_7).map(Reply::status)).contains(503);
        assertThat(raise(fence, SECRET, 8, BOUND).status()).isEqualTo(503);
    }

    @Test
    void aRaiseWaitsNoLongerThanItsCallerDoes() throws Exception {
        raise(fence, SECRET, 7, BOUND);
        try (HttpFence.Passage inside = fence.enter(List.of(TOKEN_7))) {
            long before = timeline.nanos();

            Reply reply = raise(fence, SECRET, 8, SHORT);

            assertThat(inside.refusal()).isEmpty();
            assertThat(reply.text())
                    .isEqualTo("gave up after 100 ms: 1 requests that were let in are still being handled");
            assertThat(Duration.ofNanos(timeline.nanos() - before)).isBetween(SHORT, BOUND.dividedBy(2));
        }
    }

    /** Here the raise waits for one request, and then for the sink that keeps the marks. */
    @Test
    void whoComesWhileARaiseWaitsIsToldToTryAgain() throws Exception {
        Sink silent = (Sink) Proxy.newProxyInstance(
                Sink.class.getClassLoader(),
                new Class<?>[] {Sink.class},
                (proxy, method, arguments) ->
                        method.getName().equals("raise") ? new CompletableFuture<>() : method.invoke(marks, arguments));
        HttpFence hasty = HttpFence.over(silent, Duration.ofSeconds(1), "s3cret", BILLING);
        marks.raise(BILLING, mark(7)).toCompletableFuture().get();
        CompletableFuture<Optional<Reply>> newcomer;
        try (HttpFence.Passage inside = hasty.enter(List.of(TOKEN_7))) {
            assertThat(inside.refusal()).isEmpty();
            CompletableFuture<Reply> raise = inBackground(() -> raise(hasty, SECRET, 8, BOUND));
            do {
                newcomer = inBackground(() -> refusal(hasty, TOKEN_7));
            } while (isAnswered(newcomer) && !raise.isDone());
        }

        assertThat(newcomer.get(10, TimeUnit.SECONDS))
                .contains(new Reply(503, "a raise of billing waits here; try again"));
    }

    private static boolean isAnswered(CompletableFuture<?> call) throws Exception {
        try {
            call.get(SHORT.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException waits) {
            return false;
        }
    }

    private static <T> CompletableFuture<T> inBackground(Callable<T> call) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return call.call();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }

    /** What people mistype. */
    @ParameterizedTest
    @CsvSource({
        "PUT, /incumbent/fence/billing, seven operator:me, 400",
        "PUT, /incumbent/fence/billing, 7, 400",
        "PUT, /incumbent/fence/billing, 7 me, 400",
        "PUT, /incumbent/fence/b//x, 7 operator:me, 400",
        "POST, /incumbent/fence/billing, 7 operator:me, 405",
        "GET, /incumbent/fence/billing, '', 405",
        "DELETE, /incumbent/fence, '', 405"
    })
    void whatIsNoRaiseChangesNothing(String method, String path, String body, int status) throws Exception {
        assertThat(fence.administer(method, path, List.of(SECRET), () -> body, BOUND)
                        .status())
                .isEqualTo(status);

        assertThat(marks.marks().toCompletableFuture().get().marks()).isEmpty();
    }

    @Test
    void whoIsRefusedHoldsUpNobody() throws Exception {
        raise(fence, SECRET, 7, BOUND);

        assertThat(refusal(fence, "billing=6").map(Reply::status)).contains(409);
        assertThat(refusal(fence, "billing=8").map(Reply::status)).contains(428);

        assertThat(raise(fence, SECRET, 8, SHORT).status()).isEqualTo(200);
    }

    /** Whoever is interrupted while the marks are read, and whose marks cannot be asked for. */
    @Test
    void whoseCheckFailsHoldsUpNobody() throws Exception {
        raise(fence, SECRET, 7, BOUND);
        for (Runnable trouble : List.<Runnable>of(() -> Thread.currentThread().interrupt(), () -> {
            throw new IllegalStateException("no marks");
        })) {
            AtomicReference<Runnable> next = new AtomicReference<>(trouble);
            Sink troubled = (Sink) Proxy.newProxyInstance(
                    Sink.class.getClassLoader(), new Class<?>[] {Sink.class}, (proxy, method, arguments) -> {
                        next.getAndSet(() -> {}).run();
                        return Thread.currentThread().isInterrupted()
                                ? new CompletableFuture<>()
                                : method.invoke(marks, arguments);
                    });
            HttpFence over = HttpFence.over(troubled, BOUND, "s3cret", BILLING);

            assertThatThrownBy(() -> over.enter(List.of(TOKEN_7)))
                    .isInstanceOfAny(InterruptedException.class, IllegalStateException.class);

            assertThat(refusal(over, TOKEN_7)).isEmpty();
            assertThat(raise(over, SECRET, 7, SHORT).status()).isEqualTo(200);
        }
    }

    /** Else one request that leaves twice would count as another's leaving. */
    @Test
    void whoLeavesTwiceHasLeftOnce() throws Exception {
        Turnstiles turnstiles = new Turnstiles(Set.of(BILLING));
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
                Sink sink = HttpSink.of(
                        "http://127.0.0.1:" + service.port() + "/ledger/",
                        Map.of("INCUMBENT_HTTP_SECRET", "s3cret"),
                        BOUND)) {
            assertThat(sink.raise(BILLING, mark(7)).toCompletableFuture().get(10, TimeUnit.SECONDS))
                    .isEqualTo(new Raise.Raised(mark(7)));
            assertThat(sink.marks()
                            .toCompletableFuture()
                            .get(10, TimeUnit.SECONDS)
                            .marks())
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
            throws Exception {
        return through.administer(
                "PUT", "/incumbent/fence/billing", List.of(authorization), () -> MarkText.of(mark(token)), patience);
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
