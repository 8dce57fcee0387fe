package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.fuzz.Barrage;
import dev.incumbent.fuzz.Findings;
import dev.incumbent.fuzz.Footprint;
import dev.incumbent.fuzz.Fuzzer;
import dev.incumbent.fuzz.Seeds;
import dev.incumbent.fuzz.Sort;
import dev.incumbent.quorum.Route.Answer;
import dev.incumbent.quorum.Route.Kind;
import dev.incumbent.servers.FreePorts;
import dev.incumbent.servers.TemporaryFolder;
import dev.incumbent.servers.Waiting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Hellos of TLS that are none, and what speaks no TLS, at a clients' port that speaks TLS alone. */
@Tag("realtime")
@Execution(ExecutionMode.SAME_THREAD)
final class MalformedHellosTest {
    private static final Seeds SEEDS = Seeds.ofThisRun();
    private static final List<Sort> SORTS = List.of(
            Sort.TLS_HELLO,
            Sort.NOTHING,
            Sort.TLS_HELLO,
            Sort.NOISE,
            Sort.TLS_HELLO,
            Sort.HTTP_2,
            Sort.TLS_HELLO,
            Sort.BITS_FLIPPED);
    private static final String AGAIN = SEEDS.replay(SEEDS.seeds().get(0));
    private static final int SECONDS = 600;
    private static final int MORE = 6;
    private static final long MORE_HEAP = 24 << 20;
    private static final Duration UNTIL_ALL_IS_BACK = Duration.ofSeconds(30);

    @Test
    void theyAreAnsweredNothingAndLeaveNothingBehind() throws Exception {
        int port = FreePorts.one();
        Findings findings = new Findings(
                QuorumExamples.cores(),
                Map.of("it answers no HTTP", outcome -> outcome.statuses().isEmpty()));
        try (TemporaryFolder folder = TemporaryFolder.create("hellos")) {
            SSLContext tls = new TlsFiles(folder.path(), "ours")
                    .certificate("node", "IP:127.0.0.1")
                    .context();
            try (Endpoint listening = listening(tls, port)) {
                assertThat(firstLine(tls, port)).isEqualTo("HTTP/1.1 200 OK");
                storm(port, SORTS.size() * 10, new Findings(List.of(), Map.of()));
                Footprint before = footprint();

                storm(port, SEEDS.requestsOfEach() / 2, findings);

                Footprint.settled(UNTIL_ALL_IS_BACK, () -> growth(before)).forEach(findings::note);
                System.out.println("hellos to a port of TLS: " + findings.counts() + "\n  before: " + before
                        + "; after: " + footprint());
                assertThat(findings.wrong()).as(AGAIN).isEmpty();
                assertThat(firstLine(tls, port)).isEqualTo("HTTP/1.1 200 OK");
                assertThat(listening.requests().counts()).isNotEmpty();
            }
        }
    }

    private static void storm(int port, int count, Findings findings) throws InterruptedException {
        Fuzzer fuzzer = new Fuzzer(SEEDS.seeds().get(0), QuorumExamples.all(), SORTS);
        try (Barrage barrage = new Barrage(fuzzer, List.of(port))) {
            barrage.send(0, count, SECONDS, findings::take);
            if (!Waiting.within(UNTIL_ALL_IS_BACK, () -> barrage.stillOpen() == 0)) {
                findings.note(barrage.stillOpen() + " connections without a handshake are still open");
            }
        }
    }

    private static Endpoint listening(SSLContext tls, int port) throws IOException {
        Reception reception = new Reception("n1", NodesHere.Access.oneForAll("token"), Bounds.OF_CLIENTS);
        Endpoint endpoint = Endpoint.listen(
                reception, Optional.of(tls), new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        endpoint.answer(new Route("/open", Right.NONE, 0, Kind.AT_ONCE, asked -> Answer.now(200, "open\n")));
        return endpoint;
    }

    private static Footprint footprint() {
        return Footprint.of(ProcessHandle.current().pid());
    }

    private static List<String> growth(Footprint before) {
        return footprint().growthSince(before, MORE, MORE_HEAP);
    }

    private static String firstLine(SSLContext tls, int port) throws IOException {
        try (SSLSocket socket = (SSLSocket) tls.getSocketFactory().createSocket("127.0.0.1", port)) {
            socket.getOutputStream()
                    .write("GET /open HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            String all = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            return all.lines().findFirst().orElse("");
        }
    }
}
