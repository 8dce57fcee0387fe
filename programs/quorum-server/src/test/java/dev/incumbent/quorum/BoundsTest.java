package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.quorum.Bounds.Crowd;
import dev.incumbent.quorum.Bounds.Patience;
import dev.incumbent.quorum.Bounds.Sizes;
import dev.incumbent.quorum.Route.Answer;
import dev.incumbent.quorum.Route.Kind;
import dev.incumbent.servers.FreePorts;
import dev.incumbent.servers.TemporaryFolder;
import dev.incumbent.servers.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What each bound of the port of the clients does to whoever passes it, and that nobody else notices. */
final class BoundsTest {
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Crowd MANY = new Crowd(100, 100, 100, 100);
    private static final Patience PATIENT = new Patience(LONG, LONG, LONG, LONG, LONG, LONG);
    private static final Sizes LARGE = new Sizes(200, 400, 100, 1 << 20, 1 << 20);
    private static final String TOKEN = "Authorization: Bearer open-sesame\r\n";

    private final int port = FreePorts.one();
    private final BlockingQueue<CompletableFuture<Answer>> held = new LinkedBlockingQueue<>();
    private Optional<Endpoint> endpoint = Optional.empty();
    private Optional<Reception> reception = Optional.empty();

    @AfterEach
    void close() {
        endpoint.ifPresent(Endpoint::close);
    }

    @Test
    void headersThatDribbleAreToldSoHoweverManyBytesCome() {
        listen(MANY, new Patience(LONG, SHORT, LONG, LONG, LONG, SHORT), new Sizes(200, 1 << 20, 100, 10, 10));
        RawHttp slow = RawHttp.connect(port);

        slow.send("GET /at-once HTTP/1.1\r\n");
        Waiting.until("an answer", () -> slow.send("A: b\r\n") && slow.hasHeard());

        assertStrangerRefused(slow, "408 Request Timeout", "the headers of a request take at most 300 ms\n");
    }

    @Test
    void whoSaysNothingIsClosedWithoutAWord() {
        listen(MANY, new Patience(LONG, SHORT, LONG, LONG, LONG, LONG), LARGE);

        assertThat(RawHttp.connect(port).readToEnd()).isEmpty();
    }

    @Test
    void theHeadersOfALaterRequestAreBoundedToo() {
        listen(MANY, new Patience(LONG, SHORT, LONG, LONG, LONG, LONG), LARGE);
        RawHttp slow = RawHttp.connect(port);
        slow.send(request("/at-once", ""));
        slow.readTo("at once\n");

        slow.send("GET");

        assertRefused(slow, "408 Request Timeout", "the headers of a request take at most 300 ms\n");
    }

    @Test
    void aBodyThatDribblesIsToldSo() {
        listen(MANY, new Patience(LONG, LONG, SHORT, LONG, LONG, SHORT), LARGE);
        RawHttp slow = RawHttp.connect(port);

        slow.send("POST /held HTTP/1.1\r\n" + TOKEN + "Content-Length: 10\r\n\r\nabc");

        assertRefused(slow, "408 Request Timeout", "the body of a request takes at most 300 ms\n");
        assertThat(held).isEmpty();
    }

    @Test
    void aRequestThatIsHeldIsNotSlow() {
        listen(MANY, new Patience(SHORT, SHORT, SHORT, SHORT, SHORT, SHORT), LARGE);
        RawHttp watching = RawHttp.connect(port);
        watching.send(request("/held", "since"));
        CompletableFuture<Answer> answer = taken();
        RawHttp idle = RawHttp.connect(port);
        idle.readToEnd();
        idle.close();

        answer.complete(new Answer(200, "told\n"));

        assertThat(watching.readTo("told\n")).startsWith("HTTP/1.1 200 OK");
    }

    @Test
    void whoIsIdleForTooLongIsClosedWithoutAWord() {
        listen(MANY, new Patience(LONG, LONG, LONG, LONG, SHORT, LONG), LARGE);
        RawHttp idle = RawHttp.connect(port);
        idle.send(request("/at-once", ""));
        idle.readTo("at once\n");

        assertThat(idle.readToEnd()).isEmpty();
    }

    @Test
    void whoDoesNotReadItsAnswerIsClosed() {
        listen(MANY, new Patience(LONG, LONG, LONG, SHORT, LONG, LONG), LARGE);
        RawHttp slow = RawHttp.connect(port);

        slow.send(request("/long", ""));
        slow.readTo("200 OK");

        Waiting.until("no connection", this::isClosedHere);
        assertThat(slow.readToEnd().length()).isLessThan(Talk.LONG.length());
    }

    @Test
    void ofAnswersThatAreNotReadTheOldestIsGivenUpWhereTheyAreTooLong() {
        listen(MANY, PATIENT, new Sizes(200, 400, 100, 1 << 20, Talk.LONG.length() + 1));
        RawHttp first = RawHttp.connect(port);
        first.send(request("/long", ""));
        first.readTo("x");
        RawHttp second = RawHttp.connect(port);

        second.send(request("/long", ""));

        assertThat(second.readTo("the end")).contains("200 OK");
        assertThat(open()).isEqualTo(1);
        assertThat(first.readToEnd()).doesNotContain("the end");
    }

    @Test
    void aFirstLineTooLongIsRefused() {
        listen(MANY, PATIENT, LARGE);
        RawHttp asking = RawHttp.connect(port);

        asking.send("GET /" + "a".repeat(200) + " HTTP/1.1\r\n\r\n");

        assertStrangerRefused(
                asking, "414 Request-URI Too Long", "the first line of a request has at most 200 bytes\n");
    }

    @Test
    void headersTooLongAreRefused() {
        listen(MANY, PATIENT, LARGE);
        RawHttp asking = RawHttp.connect(port);

        asking.send("GET / HTTP/1.1\r\nA: " + "a".repeat(400) + "\r\n\r\n");

        assertStrangerRefused(
                asking, "431 Request Header Fields Too Large", "the headers of a request have at most 400 bytes\n");
    }

    @Test
    void aBodyTooLongIsRefusedBeforeItComes() {
        listen(MANY, PATIENT, LARGE);
        RawHttp asking = RawHttp.connect(port);

        asking.send("POST /held HTTP/1.1\r\n" + TOKEN + "Content-Length: 11\r\n\r\n");

        assertThat(asking.readTo("bytes\n"))
                .startsWith("HTTP/1.1 413 Request Entity Too Large")
                .endsWith("\r\n\r\na request to /held has at most 10 bytes\n");
    }

    @Test
    void aBodyWhoseLengthIsNotSaidIsBoundedAsItComes() {
        listen(MANY, PATIENT, LARGE);
        RawHttp asking = RawHttp.connect(port);
        asking.send("POST /held HTTP/1.1\r\n" + TOKEN + "Transfer-Encoding: chunked\r\n\r\n6\r\nabcdef\r\n");

        asking.send("6\r\nabcdef\r\n");

        assertThat(asking.readTo("bytes\n")).endsWith("\r\n\r\na request to /held has at most 10 bytes\n");
    }

    @Test
    void bodiesTooLongTogetherAreToldToComeAgainAndOneThatIsHandedOnIsNoneOfThem() {
        listen(MANY, PATIENT, new Sizes(200, 400, 100, 6, 1 << 20));
        RawHttp watching = RawHttp.connect(port);
        watching.send(request("/held", "abcdef"));
        awaitTaken();
        RawHttp refused = RawHttp.connect(port);
        refused.send(request("/held", "abcdefg"));
        assertThat(refused.readTo("too long\n"))
                .contains("503 Service Unavailable")
                .endsWith("\r\n\r\nthe requests that are under way at this node are too long\n");

        // The first is handed on a moment before its bytes are given back.
        List<RawHttp> again = new ArrayList<>();
        boolean hadRoom = Waiting.within(Duration.ofSeconds(20), () -> {
            RawHttp asking = RawHttp.connect(port);
            again.add(asking);
            asking.send(request("/held", "abcdef"));
            return Waiting.within(Duration.ofSeconds(1), () -> !held.isEmpty());
        });
        assertThat(hadRoom).isTrue();
        taken().complete(new Answer(200, "done\n"));
        assertThat(again.get(again.size() - 1).readTo("done\n")).contains("200 OK");
    }

    @Test
    void tooManyRequestsUnderWayAreToldToComeAgainAndStatusAndWatchesAreNoneOfThem() {
        listen(MANY, PATIENT, new Sizes(200, 400, 1, 1 << 20, 1 << 20));
        RawHttp watching = RawHttp.connect(port);
        watching.send(request("/held", "w"));
        awaitTaken();
        RawHttp first = RawHttp.connect(port);
        first.send(request("/call", "a"));
        CompletableFuture<Answer> answer = taken();
        RawHttp second = RawHttp.connect(port);
        second.send(request("/call", "b"));
        assertThat(second.readTo("node\n"))
                .contains("503 Service Unavailable")
                .endsWith("too many requests are under way at this node\n");
        RawHttp third = RawHttp.connect(port);
        third.send(request("/at-once", ""));
        assertThat(third.readTo("at once\n")).contains("200 OK");

        answer.complete(new Answer(200, "done\n"));
        first.readTo("done\n");

        first.send(request("/call", "c"));
        taken().complete(new Answer(200, "again\n"));
        assertThat(first.readTo("again\n")).contains("200 OK");
    }

    @Test
    void whoGoesAwayLeavesItsRequestUnderWayUntilThatIsAnswered() {
        listen(MANY, PATIENT, new Sizes(200, 400, 1, 1 << 20, 1 << 20));
        RawHttp first = RawHttp.connect(port);
        first.send(request("/call", "a"));
        CompletableFuture<Answer> answer = taken();
        first.close();
        Waiting.until("no connection", this::isClosedHere);
        RawHttp second = RawHttp.connect(port);
        second.send(request("/call", "b"));
        assertThat(second.readTo("node\n")).contains("503 Service Unavailable");

        answer.complete(new Answer(200, "done\n"));

        RawHttp third = RawHttp.connect(port);
        third.send(request("/call", "c"));
        taken().complete(new Answer(200, "done\n"));
        assertThat(third.readTo("done\n")).contains("200 OK");
    }

    @Test
    void whoGoesAwayInTheMiddleOfARequestIsUnderWayNoMore() {
        listen(MANY, PATIENT, new Sizes(200, 400, 1, 5, 1 << 20));
        RawHttp first = RawHttp.connect(port);
        first.send("POST /call HTTP/1.1\r\n" + TOKEN + "Content-Length: 10\r\n\r\nabcd");
        Waiting.until("one connection", () -> open() == 1);

        first.close();

        Waiting.until("no connection", this::isClosedHere);
        RawHttp second = RawHttp.connect(port);
        second.send(request("/call", "abcde"));
        taken().complete(new Answer(200, "done\n"));
        assertThat(second.readTo("done\n")).contains("200 OK");
    }

    @Test
    void aMissingTokenIsRefusedBeforeTheBodyComesAndClosed() {
        listen(MANY, new Patience(LONG, LONG, LONG, LONG, LONG, SHORT), LARGE);
        RawHttp stranger = RawHttp.connect(port);

        stranger.send("POST /held HTTP/1.1\r\nContent-Length: 10\r\n\r\n");

        assertStrangerRefused(stranger, "401 Unauthorized", "a bearer token is required\n");
        assertThat(held).isEmpty();
    }

    @Test
    void aMissingTokenIsRefusedBeforeAnythingElseIsLookedAt() {
        listen(MANY, new Patience(LONG, LONG, LONG, LONG, LONG, SHORT), LARGE);

        for (String headers :
                List.of("Incumbent-Quorum: another\r\n", "Content-Length: 11\r\n", "Expect: 100-continue\r\n")) {
            RawHttp stranger = RawHttp.connect(port);
            stranger.send("POST /held HTTP/1.1\r\n" + headers + "\r\n");
            assertStrangerRefused(stranger, "401 Unauthorized", "a bearer token is required\n");
        }
    }

    @Test
    void aTokenCountsAsAWhole() {
        listen(MANY, new Patience(LONG, LONG, LONG, LONG, LONG, SHORT), LARGE);

        for (String shown : List.of(
                "Bearer open-sesam",
                "Bearer open-sesame2",
                "Bearer Open-Sesame",
                "Bearer ",
                "open-sesame",
                "Basic open-sesame")) {
            RawHttp stranger = RawHttp.connect(port);
            stranger.send("GET /at-once HTTP/1.1\r\nAuthorization: " + shown + "\r\n\r\n");
            assertStrangerRefused(stranger, "401 Unauthorized", "this node does not know this bearer token\n");
        }
    }

    /** Who may ask without a token keeps nobody out by it. */
    @Test
    void whoAsksWhatNeedsNoTokenStaysAStranger() {
        listen(new Crowd(100, 100, 1, 1), PATIENT, LARGE);
        RawHttp first = RawHttp.connect(port);
        first.send("GET /open HTTP/1.1\r\n\r\n");
        assertThat(first.readTo("open\n")).startsWith("HTTP/1.1 200 OK").doesNotContain("Incumbent-");

        RawHttp second = RawHttp.connect(port);
        second.send("GET /open HTTP/1.1\r\n\r\n");

        assertThat(second.readTo("open\n")).startsWith("HTTP/1.1 200 OK");
        assertThat(first.readToEnd()).isEmpty();
    }

    @Test
    void whoMeansAnotherQuorumIsRefusedBeforeTheBodyComes() {
        listen(MANY, new Patience(LONG, LONG, LONG, LONG, LONG, SHORT), LARGE);
        RawHttp lost = RawHttp.connect(port);

        lost.send("POST /held HTTP/1.1\r\n" + TOKEN + "Incumbent-Quorum: q2\r\nContent-Length: 5\r\n\r\n");

        assertRefused(lost, "421 Misdirected Request", "this node is of the quorum q1\n");
        assertThat(held).isEmpty();
    }

    /** A proxy in front may have looked at the other one. */
    @Test
    void whoShowsATokenAndSomethingElseIsAStranger() {
        listen(MANY, PATIENT, LARGE);
        String other = "Authorization: Bearer other\r\n";
        for (String shown : List.of(TOKEN + other, other + TOKEN, TOKEN + TOKEN)) {
            RawHttp stranger = RawHttp.connect(port);

            stranger.send("GET /at-once HTTP/1.1\r\n" + shown + "\r\n");

            assertThat(stranger.readTo("token\n")).startsWith("HTTP/1.1 401 ").doesNotContain("at once");
        }
    }

    @Test
    void aRefusalIsReadByWhoSendsOn() {
        listen(MANY, PATIENT, LARGE);
        RawHttp stranger = RawHttp.connect(port);

        stranger.send("POST /held HTTP/1.1\r\nContent-Length: 3000000\r\n\r\n" + "x".repeat(3_000_000));

        assertStrangerRefused(stranger, "401 Unauthorized", "a bearer token is required\n");
    }

    @Test
    void whoAsksBeforeItIsAnsweredIsAnsweredOnceAndClosed() {
        listen(MANY, new Patience(LONG, LONG, LONG, LONG, LONG, SHORT), LARGE);
        RawHttp hasty = RawHttp.connect(port);

        hasty.send(request("/held", "a") + request("/held", "b"));
        taken().complete(new Answer(200, "once\n"));

        assertThat(hasty.readToEnd()).startsWith("HTTP/1.1 200 OK").endsWith("once\n");
        assertThat(held).isEmpty();
    }

    @Test
    void whoAskedBeforeIsServedAmongAnyNumberOfStrangers() {
        listen(new Crowd(40, 30, 20, 10), PATIENT, LARGE);
        RawHttp client = RawHttp.connect(port);
        client.send(request("/at-once", ""));
        client.readTo("at once\n");

        List<RawHttp> strangers =
                Stream.generate(() -> RawHttp.connect(port)).limit(50).toList();

        Waiting.until("all but ten were turned away", () -> ended(strangers) == 40);
        client.send(request("/at-once", ""));
        assertThat(client.readTo("at once\n")).contains("200 OK");
        RawHttp newcomer = RawHttp.connect(port);
        newcomer.send(request("/at-once", ""));
        assertThat(newcomer.readTo("at once\n")).contains("200 OK");
        Waiting.until("the newcomer has taken a stranger's place", () -> ended(strangers) == 41);
    }

    @Test
    void aHandshakeThatNeverEndsIsClosed() {
        try (TemporaryFolder folder = TemporaryFolder.create("bounds")) {
            TlsFiles files = new TlsFiles(folder.path(), "ours");
            SSLContext tls = files.certificate("node", "IP:127.0.0.1").context();
            listen(MANY, new Patience(SHORT, LONG, LONG, LONG, LONG, LONG), LARGE, Optional.of(tls));
            RawHttp half = RawHttp.connect(port);

            half.send("\u0016\u0003\u0001\u0001\u0000\u0001");

            assertThat(half.readToEnd()).isEmpty();
        }
    }

    private static long ended(List<RawHttp> connections) {
        return connections.stream().filter(RawHttp::isEnded).count();
    }

    private void listen(Crowd crowd, Patience patience, Sizes sizes) {
        listen(crowd, patience, sizes, Optional.empty());
    }

    private void listen(Crowd crowd, Patience patience, Sizes sizes, Optional<SSLContext> tls) {
        Reception shared =
                new Reception("n1", NodesHere.Access.oneForAll("open-sesame"), new Bounds(crowd, patience, sizes));
        reception = Optional.of(shared);
        try {
            endpoint = Optional.of(
                    Endpoint.listen(shared, tls, new InetSocketAddress(InetAddress.getLoopbackAddress(), port)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        shared.takePart("q1", Optional::empty, () -> Members.UNKNOWN, Talk.routes(held));
    }

    /** What this node answers. */
    private record Talk() {
        /** Longer than what the sockets on both sides take by themselves. */
        static final String LONG = "x".repeat(12_000_000) + "the end";

        static List<Route> routes(BlockingQueue<CompletableFuture<Answer>> held) {
            return List.of(
                    new Route("/open", Right.NONE, 0, Kind.AT_ONCE, asked -> Answer.now(200, "open\n")),
                    new Route("/at-once", Right.READ, 0, Kind.AT_ONCE, asked -> Answer.now(200, "at once\n")),
                    new Route("/long", Right.READ, 0, Kind.AT_ONCE, asked -> Answer.now(200, LONG)),
                    new Route("/call", Right.READ, 10, Kind.CALL, asked -> later(held)),
                    new Route("/held", Right.READ, 10, Kind.HELD, asked -> later(held)));
        }

        private static CompletableFuture<Answer> later(BlockingQueue<CompletableFuture<Answer>> held) {
            CompletableFuture<Answer> answer = new CompletableFuture<>();
            held.add(answer);
            return answer;
        }
    }

    private CompletableFuture<Answer> taken() {
        try {
            return Optional.ofNullable(held.poll(20, TimeUnit.SECONDS)).orElseThrow();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void awaitTaken() {
        assertThat(taken()).isNotDone();
    }

    private int open() {
        return reception.orElseThrow().visitors().count();
    }

    private boolean isClosedHere() {
        return open() == 0;
    }

    private static String request(String path, String body) {
        return "POST " + path + " HTTP/1.1\r\nHost: h\r\n" + TOKEN + "Content-Length: " + body.length() + "\r\n\r\n"
                + body;
    }

    /** It was answered so, in one sentence, and closed. */
    private static void assertRefused(RawHttp who, String status, String sentence) {
        assertThat(who.readToEnd())
                .startsWith("HTTP/1.1 " + status + "\r\n")
                .contains("\r\nIncumbent-Node: n1\r\n", "\r\nIncumbent-Quorum: q1\r\n", "\r\nconnection: close\r\n")
                .endsWith("\r\n\r\n" + sentence);
    }

    /** The same, and it learnt nothing of the quorum. */
    private static void assertStrangerRefused(RawHttp who, String status, String sentence) {
        assertThat(who.readToEnd())
                .startsWith("HTTP/1.1 " + status + "\r\n")
                .contains("\r\nconnection: close\r\n")
                .doesNotContain("Incumbent-")
                .endsWith("\r\n\r\n" + sentence);
    }
}
