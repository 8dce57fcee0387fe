package dev.incumbent.fence.http;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.incumbent.fence.NotAdmittedException;
import dev.incumbent.fence.NotRaisedException;
import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.fence.memory.MemorySink;
import dev.incumbent.fence.memory.MemoryStore;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.model.SinkId;
import dev.incumbent.servers.FreePorts;
import dev.incumbent.time.SystemTimeline;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What plain clients see, who may raise, and each misfortune in one sentence. */
final class HttpSinkTest {
    private static final Duration BOUND = Duration.ofSeconds(5);
    private static final ElectionName BILLING = new ElectionName("billing/closer");
    private static final ElectionName REPORTS = new ElectionName("reports");

    private final HttpClient client = HttpClient.newHttpClient();
    private final SystemTimeline timeline = new SystemTimeline();
    private final Sink marks = new MemorySink(new MemoryStore(new SinkId("kept")), timeline, BOUND);
    private final Ledger ledger = new Ledger();
    private final HttpFence fence = HttpFence.over(marks, BOUND, "s3cret", BILLING);
    private final Service service = new JdkService(fence, ledger);

    @AfterEach
    void close() {
        service.close();
        marks.close();
        timeline.close();
    }

    @Test
    void withoutOneReadableTokenNothingThatWritesIsHandled() throws Exception {
        answer(marks.raise(BILLING, mark(7)));

        assertThat(post().statusCode()).isEqualTo(428);
        for (String unreadable : List.of(
                "7",
                "billing/closer",
                "billing/closer=",
                "billing/closer=seven",
                "=7",
                "billing/closer=07",
                "billing/closer=-7",
                "billing//closer=7",
                "billing/closer=7, billing/closer=7",
                "billing/closer=6,billing/closer=7",
                "billing/closer=9223372036854775808")) {
            assertThat(post("Fencing-Token", unreadable).statusCode())
                    .as(unreadable)
                    .isEqualTo(428);
        }
        assertThat(post("Fencing-Token", "billing/closer=7", "Fencing-Token", "billing/closer=7")
                        .statusCode())
                .isEqualTo(428);
        assertThat(ledger.lines()).isEmpty();
        assertThat(post("Fencing-Token", "billing/closer=7").statusCode()).isEqualTo(200);
        assertThat(ledger.lines()).containsExactly("paid");
    }

    @Test
    void aClientIsToldStaleNotRaisedAndNotHandledApart() throws Exception {
        answer(marks.raise(BILLING, mark(7)));

        assertThat(post("Fencing-Token", "billing/closer=6").statusCode()).isEqualTo(409);
        assertThat(post("Fencing-Token", "billing/closer=8").statusCode()).isEqualTo(428);
        assertThatThrownBy(() -> request(6).send(client)).isInstanceOf(StaleTokenException.class);
        assertThatThrownBy(() -> request(8).send(client)).isInstanceOf(NotRaisedException.class);
        assertThat(request(7).send(client).body()).contains("done");
        marks.close();
        assertThatThrownBy(() -> request(7).send(client))
                .isInstanceOf(NotAdmittedException.class)
                .hasMessageContaining("the marks could not be read");
        assertThat(ledger.lines()).containsExactly("paid");
    }

    @Test
    void theLeaderOfAnotherElectionIsNotLetIn() throws Exception {
        answer(marks.raise(REPORTS, mark(3)));

        assertThat(post("Fencing-Token", "reports=3").statusCode()).isEqualTo(428);
    }

    /** In whatever case it is spelt: one header counts, and two are none. */
    @Test
    void aHeadersNameHasNoCase() throws Exception {
        answer(marks.raise(BILLING, mark(7)));
        try (Service tomcat = new TomcatService(fence, ledger)) {
            for (int port : List.of(service.port(), tomcat.port())) {
                assertThat(sent(port, "fencing-token: billing/closer=7")).startsWith("HTTP/1.1 200 ");
                assertThat(sent(port, "FENCING-TOKEN: billing/closer=6")).startsWith("HTTP/1.1 409 ");
                assertThat(sent(port, "fencing-token: billing/closer=7\r\nFencing-Token: billing/closer=6"))
                        .startsWith("HTTP/1.1 428 ");
                assertThat(sent(port, "Fencing-Token: billing/closer=6\r\nFENCING-TOKEN: billing/closer=7"))
                        .startsWith("HTTP/1.1 428 ");
            }
        }
        assertThat(ledger.lines()).containsExactly("paid", "paid");
    }

    /** The first line of the answer. */
    private static String sent(int port, String headers) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout((int) BOUND.toMillis());
            socket.getOutputStream()
                    .write(("POST /ledger HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 12\r\n"
                                    + headers + "\r\n\r\npaid\ncommit\n")
                            .getBytes(StandardCharsets.UTF_8));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return answer.lines().findFirst().orElse("");
        }
    }

    @Test
    void whoOnlyReadsNeedsNoToken() throws Exception {
        HttpRequest get = HttpRequest.newBuilder(URI.create(url() + "/ledger")).build();

        assertThat(client.send(get, HttpResponse.BodyHandlers.ofString()).statusCode())
                .isEqualTo(200);
    }

    @Test
    void onlyWhoKnowsTheSecretSeesAndRaisesTheMarks(@TempDir Path folder) throws Exception {
        Path secret = Files.writeString(folder.resolve("secret"), "s3cret\n");
        try (Sink stranger = HttpSink.of(url(), Map.of(), BOUND);
                Sink byVariable = HttpSink.of(url(), Map.of("INCUMBENT_HTTP_SECRET", "s3cret"), BOUND);
                Sink byFile = new HttpSinkProvider().open(url() + "/?secret-file=" + secret, BOUND)) {
            for (CompletionStage<?> call : List.of(stranger.id(), stranger.marks(), stranger.raise(BILLING, mark(9)))) {
                assertThatThrownBy(() -> answer(call))
                        .isInstanceOf(SinkException.class)
                        .hasMessageContaining(url())
                        .hasMessageContaining("401");
            }
            assertThat(answer(byVariable.raise(BILLING, mark(7)))).isEqualTo(new Raise.Raised(mark(7)));
            assertThat(answer(byFile.marks()).marks()).containsEntry(BILLING, mark(7));
            assertThat(answer(byFile.id())).isEqualTo(new SinkId("kept"));
            assertThat(byFile.label()).isEqualTo(url());
        }
    }

    @Test
    void aSecretInTheVariableIsTakenWithoutItsNewlineAndOneThatNoHeaderCarriesIsNotTold() throws Exception {
        try (Sink sink = HttpSink.of(url(), Map.of("INCUMBENT_HTTP_SECRET", "s3cret\n"), BOUND)) {
            assertThat(answer(sink.id())).isNotNull();
        }
        assertThatThrownBy(() -> HttpSink.of(url(), Map.of("INCUMBENT_HTTP_SECRET", "hid\nden"), BOUND))
                .isInstanceOf(SinkException.class)
                .hasMessageContaining("INCUMBENT_HTTP_SECRET holds more than one line")
                .hasMessageNotContainingAny("hid\n", "den");
    }

    @Test
    void aSecretThatChangesInItsFileIsReadAgain(@TempDir Path folder) throws Exception {
        Path secret = Files.writeString(folder.resolve("secret"), "another secret, longer\n");
        try (Sink sink =
                HttpSink.of(url() + "?secret-file=" + secret, Map.of("INCUMBENT_HTTP_SECRET", "s3cret"), BOUND)) {
            assertThatThrownBy(() -> answer(sink.id())).hasMessageContaining("401");

            Files.writeString(secret, "s3cret\n");

            assertThat(answer(sink.id())).isEqualTo(new SinkId("kept"));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "http://me:s3cr3t@h/x | it names no user: its secret is taken from INCUMBENT_HTTP_SECRET or ?secret-file=PATH",
                "http://me@h | it names no user",
                "http://h?secret-file= | the parameter secret-file has no value",
                "http://h?secret=s3cr3t | the parameter 'secret' is unknown; known are secret-file",
                "http://h?secretfile=s3cr3t | the parameter 'secretfile' is unknown",
                "http://h?secret-file=/nowhere&token=s3cr3t | the secret file /nowhere cannot be read",
                "http:///x | is no HOST:PORT",
                "http://h:0/x | is no HOST:PORT",
                "http://a,b/x | a fenced service is one host",
                "http://h/a b | its path has a character that is to be escaped",
                "http:h | is no URI such as",
            })
    void aUrlThatIsNotUnderstoodIsRefusedInASentenceWithoutSecrets(String url, String why) {
        assertThatThrownBy(() -> HttpSink.of(url, Map.of(), BOUND))
                .isInstanceOf(SinkException.class)
                .hasMessageContaining(why)
                .message()
                .doesNotContain("s3cr3t");
    }

    @Test
    void whoAnswersOkToEverythingIsNoFence() throws Exception {
        HttpServer other = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 5);
        other.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        other.start();
        try (Sink sink = HttpSink.of("http://127.0.0.1:" + other.getAddress().getPort(), Map.of(), BOUND)) {
            for (CompletionStage<?> call : List.of(sink.id(), sink.marks(), sink.raise(BILLING, mark(9)))) {
                assertThatThrownBy(() -> answer(call))
                        .isInstanceOf(SinkException.class)
                        .hasMessageContaining("no fence's answer");
            }
        } finally {
            other.stop(0);
        }
    }

    /** One that sends fast meets the limit, one that sends slowly the bound; neither keeps its connection. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"0 | the answer is longer than 33554432 bytes", "200 | gave up after 1000 ms"})
    void anAnswerThatNeverEndsIsCutOff(long pauseMillis, String why) throws Exception {
        CompletableFuture<IOException> cutOff = new CompletableFuture<>();
        HttpServer endless = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 5);
        endless.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            try (OutputStream body = exchange.getResponseBody()) {
                while (true) {
                    body.write(new byte[100_000]);
                    body.flush();
                    SystemTimeline.sleep(Duration.ofMillis(pauseMillis));
                }
            } catch (IOException e) {
                cutOff.complete(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        endless.start();
        Duration bound = pauseMillis == 0 ? BOUND.multipliedBy(6) : Duration.ofSeconds(1);
        try (Sink sink = HttpSink.of("http://127.0.0.1:" + endless.getAddress().getPort(), Map.of(), bound)) {
            assertThatThrownBy(() -> sink.marks().toCompletableFuture().get(60, SECONDS))
                    .hasCauseInstanceOf(SinkException.class)
                    .hasMessageContaining(why);
            assertThat(cutOff.get(20, SECONDS)).isNotNull();
        } finally {
            endless.stop(0);
        }
    }

    /** What people send by hand. */
    @Test
    void aPersonRaisesAndSeesTheMarksInPlainText() throws Exception {
        HttpRequest.Builder put = HttpRequest.newBuilder(URI.create(url() + "/incumbent/fence/billing/closer"))
                .header("Authorization", "Bearer s3cret")
                .PUT(HttpRequest.BodyPublishers.ofString("8 operator:me@host"));
        HttpRequest.Builder get =
                HttpRequest.newBuilder(URI.create(url() + "/incumbent/fence")).header("Authorization", "Bearer s3cret");

        assertThat(client.send(put.build(), HttpResponse.BodyHandlers.ofString())
                        .body())
                .isEqualTo("8 operator:me@host\n");
        assertThat(client.send(get.build(), HttpResponse.BodyHandlers.ofString())
                        .body())
                .isEqualTo("id kept\nmark billing/closer 8 operator:me@host\n");
    }

    /** Escapes are the client's affair. */
    @Test
    void aPathIsTheSameWithAndWithoutEscapes() throws Exception {
        try (Service tomcat = new TomcatService(fence, ledger)) {
            for (int port : List.of(service.port(), tomcat.port())) {
                HttpRequest put = HttpRequest.newBuilder(
                                URI.create("http://127.0.0.1:" + port + "/%69ncumbent/fence/%62illing/closer"))
                        .header("Authorization", "Bearer s3cret")
                        .PUT(HttpRequest.BodyPublishers.ofString("8 operator:me@host"))
                        .build();

                HttpResponse<String> answer = client.send(put, HttpResponse.BodyHandlers.ofString());

                assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            }
        }
        assertThat(answer(marks.marks()).marks()).containsOnlyKeys(BILLING);
    }

    /** It lacks the fence's header. */
    @Test
    void aRefusalOfTheServiceItselfIsNotTakenForTheFences() throws Exception {
        HttpServer refusing = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 5);
        refusing.createContext("/", exchange -> {
            exchange.sendResponseHeaders(409, -1);
            exchange.close();
        });
        refusing.start();
        try {
            FencedRequest request = new FencedRequest(HttpRequest.newBuilder(URI.create(
                            "http://127.0.0.1:" + refusing.getAddress().getPort()))
                    .POST(HttpRequest.BodyPublishers.noBody()));
            request.admit(BILLING, new FencingToken(7));

            assertThat(request.send(client).statusCode()).isEqualTo(409);
        } finally {
            refusing.stop(0);
        }
    }

    @Test
    void whereNobodyListensThatIsSaid() {
        String nowhere = "http://127.0.0.1:" + FreePorts.one();
        try (Sink sink = new HttpSinkProvider().open(nowhere, BOUND)) {
            assertThatThrownBy(() -> answer(sink.id()))
                    .isInstanceOf(SinkException.class)
                    .hasMessageContaining(nowhere)
                    .hasMessageContaining("ConnectException");
        }
        assertThatThrownBy(() -> new HttpSinkProvider().install(nowhere)).isInstanceOf(SinkException.class);
    }

    @Test
    void aMalformedUrlAndATableAreRefused() {
        HttpSinkProvider provider = new HttpSinkProvider();

        for (String url :
                List.of("http:///p", "http://u:hidden@h/p", "http://h/a b?x=hidden", "http://h/p?secret=hidden")) {
            assertThatThrownBy(() -> provider.open(url, BOUND))
                    .as(url)
                    .isInstanceOf(SinkException.class)
                    .hasMessageNotContaining("hidden");
        }
        assertThatThrownBy(() -> provider.guard("http://h/p", "ledger", BILLING))
                .isInstanceOf(SinkException.class);
    }

    private String url() {
        return "http://127.0.0.1:" + service.port();
    }

    private HttpResponse<String> post(String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url() + "/ledger"))
                .POST(HttpRequest.BodyPublishers.ofString("paid\ncommit\n"));
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private FencedRequest request(long token) throws Exception {
        FencedRequest request = new FencedRequest(HttpRequest.newBuilder(URI.create(url() + "/ledger"))
                .POST(HttpRequest.BodyPublishers.ofString("paid\ncommit\n")));
        request.admit(BILLING, new FencingToken(token));
        return request;
    }

    private static Mark mark(long token) {
        return new Mark(new FencingToken(token), MarkOwner.ofCandidate(CandidateId.of("ada", "host", 1, "x")));
    }

    private static <T> T answer(CompletionStage<T> stage) throws Exception {
        try {
            return stage.toCompletableFuture().get(10, SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }
}
