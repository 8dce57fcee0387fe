package dev.incumbent.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.agent.PlainHttp.Answer;
import dev.incumbent.agent.elections.Bounds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who may follow, how many may, and how streams end. */
@Tag("patient")
@Timeout(120)
class EventStreamTest extends WithAgent {
    private static final String ELECTION = "/v1/elections/billing%2Fcloser";
    private static final String EVENTS = "Accept: text/event-stream";

    private final List<EventReader> readers = new ArrayList<>();

    private EventReader follow(PlainHttp http, String election) {
        EventReader reader = EventReader.of(http, election);
        readers.add(reader);
        return reader;
    }

    @AfterEach
    void closeReaders() {
        readers.forEach(EventReader::close);
    }

    @Test
    void wrongUseGetsOneSentence() {
        PlainHttp http = work.socket().with(EVENTS);

        for (String query : List.of("?index=3", "?wait=2s", "?index=3&wait=2s")) {
            Answer both = http.get(ELECTION + query);
            assertThat(both.status()).as(query).isEqualTo(400);
            assertThat(both.sentence())
                    .isEqualTo(
                            "a stream of events takes neither index nor wait; it is resumed by the header Last-Event-ID");
        }
        for (String id : List.of("-1", "x", "1.5", "9999999999999999999", "")) {
            Answer none = http.with("Last-Event-ID: " + id).get(ELECTION);
            assertThat(none.status()).as(id).isEqualTo(400);
            assertThat(none.sentence())
                    .isEqualTo("the header Last-Event-ID bears the id of the last event, a whole number, and not '" + id
                            + "'");
        }
        assertThat(http.with("Last-Event-ID: 1")
                        .with("Last-Event-ID: 2")
                        .get(ELECTION)
                        .status())
                .isEqualTo(400);
        assertThat(work.socket().with("Last-Event-ID: x").get(ELECTION).status())
                .as("no stream is asked for")
                .isEqualTo(200);
    }

    @Test
    void addressesWithoutEventsSaySo() {
        PlainHttp http = work.socket().with(EVENTS);

        for (String path : List.of("/v1/elections", "/livez", "/healthz", ELECTION + "/check?token=1")) {
            assertThat(http.get(path).status()).as(path).isEqualTo(406);
            assertThat(http.get(path).sentence()).startsWith("this address sends no events");
        }
        assertThat(http.post(ELECTION + "/campaign", "{\"ttlMs\":2000}").status())
                .isEqualTo(406);
        assertThat(work.socket().get(ELECTION).json().at("here").at("owners").items())
                .isEmpty();
        assertThat(http.get("/nowhere").status()).isEqualTo(404);
    }

    @Test
    void whatIsPreferredIsSent() {
        for (String json : List.of(
                "*/*",
                "text/html, */*",
                "application/json, text/event-stream",
                "text/event-stream;q=0.5, application/json",
                "text/event-stream;q=0, */*",
                "text/event-streams")) {
            assertThat(work.socket().with("Accept: " + json).get(ELECTION).status())
                    .as(json)
                    .isEqualTo(200);
        }
        for (String events : List.of(
                "text/event-stream, application/json",
                "application/json;q=0.9, TEXT/Event-Stream; charset=utf-8",
                "text/event-stream, */*")) {
            assertThat(work.socket().with("Accept: " + events).get("/livez").status())
                    .as(events)
                    .isEqualTo(406);
        }
    }

    @Test
    void aHeadOfAStreamIsNoStream() throws IOException {
        String asked = "HEAD " + ELECTION + " HTTP/1.1\r\nHost: localhost\r\n" + EVENTS + "\r\n\r\n";
        try (SocketChannel channel = SocketChannel.open(work.socket().address())) {
            channel.write(ByteBuffer.wrap((asked + asked).getBytes(StandardCharsets.UTF_8)));
            StringBuilder answers = new StringBuilder();
            ByteBuffer piece = ByteBuffer.allocate(4096);
            Await.until("two answers", () -> {
                try {
                    piece.clear();
                    int count = channel.read(piece);
                    answers.append(new String(piece.array(), 0, Math.max(0, count), StandardCharsets.UTF_8));
                    return answers.toString().split("HTTP/1.1 200 OK", -1).length == 3;
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            assertThat(answers.toString()).contains("Content-Type: text/event-stream");
        }
        assertThat(work.watches.open()).isZero();
    }

    @Test
    void onlyWhoMayReadFollows() {
        PlainHttp port = work.port().with(EVENTS);

        assertThat(port.get(ELECTION).status()).isEqualTo(401);
        assertThat(port.bearing(AgentAtWork.STANDS).get("/v1/elections/job").status())
                .isEqualTo(403);
        assertThat(port.forHost("evil.example").get(ELECTION).status()).isEqualTo(421);
        assertThat(work.socket()
                        .with(EVENTS)
                        .with("Origin: http://localhost")
                        .get(ELECTION)
                        .status())
                .isEqualTo(403);
        EventReader stands = follow(work.port().bearing(AgentAtWork.STANDS), "billing/closer");
        EventReader reads = follow(work.port().bearing(AgentAtWork.READS), "billing/closer");
        stands.await("leader 1 -");
        reads.await("leader 1 -");
    }

    @Test
    @Tag("realtime")
    void aRightThatIsTakenEndsTheStream() throws IOException {
        EventReader reads = follow(work.port().bearing(AgentAtWork.READS), "billing/closer");
        EventReader stands = follow(work.port().bearing(AgentAtWork.STANDS), "billing/closer");
        reads.await("leader 1 -");
        stands.await("leader 1 -");

        Files.writeString(work.tokens, AgentAtWork.STANDS + " billing/ campaign\n");

        Await.until("the stream of the one that is named no more ends", reads::isEnded);
        int signs = stands.signs();
        Await.until("the other goes on", () -> stands.signs() > signs);
        assertThat(stands.isEnded()).isFalse();
    }

    /** Longer than a connection may be silent. */
    @Test
    @Tag("realtime")
    void aStreamOfWhichNothingIsToldGoesOn() {
        EventReader reader = follow(work.port().bearing(AgentAtWork.READS), "billing/closer");
        reader.await("leader 1 -");
        long began = System.nanoTime();

        Await.until("signs come", () -> reader.signs() >= 8 || reader.isEnded());

        assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began)).isBetween(30L, 70L);
        assertThat(reader.isEnded()).isFalse();
        assertThat(reader.told()).containsExactly("leader 1 -");
    }

    @Test
    void anElectionIsObservedWhileSomebodyFollowsIt() throws IOException {
        EventReader first = follow(work.socket(), "billing/closer");
        EventReader second = follow(work.port().bearing(AgentAtWork.READS), "billing/closer");
        first.await("leader 1 -");
        second.await("leader 1 -");
        assertThat(work.watches.open()).isEqualTo(1);

        first.close();
        SocketChannel half = EventReader.ask(work.socket(), "billing/other");
        Await.until("it is observed", () -> work.watches.open() == 2);
        half.shutdownOutput();

        Await.until("it is observed no more", () -> work.watches.open() == 1);
        second.close();
        Await.until("nothing is observed", () -> work.watches.open() == 0);
        half.close();
    }

    @Test
    void whoSaysSomethingMoreEndsHisStream() throws IOException {
        SocketChannel talks = EventReader.ask(work.socket(), "billing/closer");
        Await.until("it is observed", () -> work.watches.open() == 1);

        talks.write(ByteBuffer.wrap(new byte[] {'x'}));

        Await.until("it is observed no more", () -> work.watches.open() == 0);
        talks.close();
    }

    @Test
    @Tag("realtime")
    void whoReadsTooSlowlyIsClosedAndNothingIsKeptForHim() throws Exception {
        ManyLeaders leaders = new ManyLeaders(work.coordinator, "billing/closer");
        EventReader other = follow(work.socket(), "billing/closer");
        SocketChannel slow = EventReader.ask(work.socket(), "billing/closer");
        other.await("leader 1 -");

        for (int i = 0; i < 80; i++) {
            long term = 0;
            for (int ofHistory = 0; ofHistory < 8; ofHistory++) {
                term = leaders.next();
            }
            long last = 2 * term;
            Await.until("leader " + last, () -> other.hasHeard(last));
        }
        other.close();
        long began = System.nanoTime();
        Await.until("nobody follows any more", () -> work.watches.open() == 0);

        assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began)).isLessThan(10);
        assertThat(bytesOf(slow)).isBetween(1L, 4L * Bounds.STREAM_BYTES);
        slow.close();
    }

    /** All that comes until the end. */
    private static long bytesOf(SocketChannel channel) {
        long bytes = 0;
        ByteBuffer piece = ByteBuffer.allocate(1 << 16);
        try {
            for (int count = channel.read(piece); count >= 0; count = channel.read(piece)) {
                bytes += count;
                piece.clear();
            }
        } catch (IOException reset) {
            // As it is meant to be.
        }
        return bytes;
    }

    @Test
    void streamsAreBoundedInAllAndForEach(@TempDir Path elsewhere) throws IOException {
        try (AgentAtWork many =
                AgentAtWork.withRights(elsewhere, "token-that-reads-second * read\ntoken-that-reads-third * read\n")) {
            PlainHttp first = many.port().bearing(AgentAtWork.READS);
            for (int i = 0; i < Bounds.STREAMS_OF_ONE; i++) {
                follow(first, "e" + i);
            }
            Await.until("all follow", () -> readers.stream().allMatch(reader -> reader.signs() > 0));
            assertThat(first.with(EVENTS).get("/v1/elections/e0").status()).isEqualTo(503);
            assertThat(first.with(EVENTS).get("/v1/elections/e0").sentence())
                    .isEqualTo("whoever asks this has 40 streams of events, and may have no more");
            assertThat(first.get("/v1/elections/e0").status()).isEqualTo(200);

            for (int i = Bounds.STREAMS_OF_ONE; i < Bounds.STREAMS; i++) {
                follow(many.port().bearing("token-that-reads-" + (i % 2 == 0 ? "second" : "third")), "e0");
            }
            Await.until("all follow", () -> readers.stream().allMatch(reader -> reader.signs() > 0));
            PlainHttp another = many.socket().with(EVENTS);
            assertThat(another.get("/v1/elections/e0").sentence())
                    .isEqualTo("the agent sends 100 streams of events, and sends no more at once");

            readers.get(0).close();
            Await.until("room for one", () -> {
                EventReader late = follow(many.socket(), "e0");
                Await.until("an answer", () -> !late.head().isEmpty());
                return late.head().startsWith("HTTP/1.1 200");
            });
            assertThat(many.watches.open()).isLessThanOrEqualTo(Bounds.STREAMS_OF_ONE);
            closeReaders();
            Await.until("nothing is observed", () -> many.watches.open() == 0);
        }
    }

    /** Strangers hold as many connections as they can, and a program whose token is known makes as many as it can. */
    @Test
    @Tag("realtime")
    void aStreamGoesForNobodysSake() {
        EventReader reader = follow(work.port().bearing(AgentAtWork.READS), "billing/closer");
        reader.await("leader 1 -");
        String reads = "GET /v1/elections HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + AgentAtWork.READS
                + "\r\n\r\n";

        try (HeldConnections known = HeldConnections.open(work.port().address(), 600, reads);
                HeldConnections strangers = HeldConnections.open(work.port().address(), 300, "")) {
            Await.until("some are closed", () -> known.open() + strangers.open() < 500);

            int signs = reader.signs();
            Await.until("it goes on", () -> reader.signs() > signs || reader.isEnded());
            assertThat(reader.isEnded()).isFalse();
        }
    }
}
