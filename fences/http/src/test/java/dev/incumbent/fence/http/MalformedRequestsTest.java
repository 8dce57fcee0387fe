package dev.incumbent.fence.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.fuzz.Barrage;
import dev.incumbent.fuzz.Example;
import dev.incumbent.fuzz.Findings;
import dev.incumbent.fuzz.Footprint;
import dev.incumbent.fuzz.Fuzzer;
import dev.incumbent.fuzz.MalformedRequest;
import dev.incumbent.fuzz.Outcome;
import dev.incumbent.fuzz.Seeds;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.servers.ServerProcess;
import dev.incumbent.servers.TemporaryFolder;
import dev.incumbent.servers.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Malformed requests to a fenced service, a process of its own, whose leaders write meanwhile and hand over to each other. {@code scripts/fuzz} sends more of them; {@link Seeds} says how many are sent
 * here.
 */
@Tag("realtime")
@Execution(ExecutionMode.SAME_THREAD)
@Timeout(value = 60, unit = TimeUnit.MINUTES)
final class MalformedRequestsTest {
    private static final Seeds SEEDS = Seeds.ofThisRun();
    private static final Duration BOUND = Duration.ofSeconds(5);
    /** Above all tokens that the examples bear and below one of them: none of theirs is ever in force. */
    private static final long FIRST_TOKEN = 1_000_000;

    private static final int FIRST = 150;
    private static final int SECONDS_FOR_A_REQUEST = 2;
    private static final int LEAST_SECONDS = 120;
    /** Threads of a pool and connections of the leaders come and go. */
    private static final int MORE = 12;

    private static final long MORE_HEAP = 12 << 20;
    private static final Duration UNTIL_ALL_IS_BACK = Duration.ofSeconds(75);
    private static final Set<Integer> REFUSALS_OF_THE_FENCE = Set.of(409, 422, 428);
    /** That is not implemented, and that is no version of HTTP. */
    private static final Set<Integer> OF_SERVERS = Set.of(501, 505);

    private final List<Example> examples = FenceExamples.all();

    static Stream<Arguments> servers() {
        return Stream.of("tomcat", "jdk")
                .flatMap(server -> SEEDS.seeds().stream().map(seed -> Arguments.of(server, seed)));
    }

    @ParameterizedTest
    @MethodSource("servers")
    void theyWriteNothingRaiseNothingAndLeaveNothingBehind(String server, long seed) throws Exception {
        try (TemporaryFolder folder = TemporaryFolder.create("malformed");
                ServerProcess process = started(server, folder)) {
            int port = Integer.parseInt(Files.readString(folder.resolve("port")));
            try (Sink sink = new HttpSinkProvider()
                    .open("http://127.0.0.1:" + port + "?secret-file=" + folder.resolve("secret"), BOUND)) {
                Mark first = new Mark(new FencingToken(FIRST_TOKEN), MarkOwner.parse("operator:fuzz@host"));
                assertThat(sink.raise(ServiceMain.OFFICE, first)
                                .toCompletableFuture()
                                .get(20, TimeUnit.SECONDS))
                        .isEqualTo(new Raise.Raised(first));
                hold(new Trial(server, seed, process, port, sink), folder.resolve("ledger"));
            }
        }
    }

    private static ServerProcess started(String server, TemporaryFolder folder) throws IOException {
        Path secret = Files.writeString(folder.resolve("secret"), FenceExamples.SECRET + "\n");
        Path port = folder.resolve("port");
        return ServerProcess.start(
                server,
                ServiceMain.command(server, secret, folder.resolve("ledger"), port),
                Map.of(),
                folder.path(),
                () -> Files.exists(port));
    }

    private record Trial(String server, long seed, ServerProcess process, int port, Sink sink) {
        Footprint footprint() {
            return Footprint.of(process.pid());
        }
    }

    private void hold(Trial trial, Path ledger) throws Exception {
        Findings findings = new Findings(
                List.of(FenceExamples.CORE),
                Map.of(
                        "what is malformed is refused, or reads, or is sent by whoever shows the secret",
                        MalformedRequestsTest::isExpected));
        try (LeaderThatWrites leader =
                new LeaderThatWrites("http://127.0.0.1:" + trial.port(), ServiceMain.OFFICE, trial.sink())) {
            try (Barrage warming = new Barrage(new Fuzzer(0, examples), List.of(trial.port()))) {
                warming.send(0, FIRST, LEAST_SECONDS, outcome -> {});
            }
            Footprint before = trial.footprint();
            List<String> answers = answers(trial.port());
            int handedOver = leader.handedOver();

            try (Barrage barrage = new Barrage(new Fuzzer(trial.seed(), examples), List.of(trial.port()))) {
                barrage.send(0, SEEDS.requestsOfEach(), seconds(), findings::take);
            }
            System.out.println("LOG" + trial.process().log());
            settle(trial, before, findings);
            Waiting.until("a term that is handed over", () -> leader.handedOver() > handedOver);
            trial.process().log().lines().forEach(findings::heard);
            report(trial, before, findings, leader.handedOver() - handedOver);

            String again = SEEDS.replay(trial.seed());
            assertThat(findings.wrong()).as(again).isEmpty();
            assertThat(leader.lost())
                    .as("terms and writes that were lost; " + again)
                    .isEmpty();
            assertThat(answers(trial.port()))
                    .as("well-formed requests are answered as before; " + again)
                    .isEqualTo(answers);
            leader.end();
            assertLedger(Files.readAllLines(ledger), leader, again);
            assertMark(trial, leader, again);
        }
    }

    private static void settle(Trial trial, Footprint before, Findings findings) {
        Footprint.settled(UNTIL_ALL_IS_BACK, () -> trial.footprint().growthSince(before, MORE, MORE_HEAP))
                .forEach(findings::note);
    }

    private static int seconds() {
        return LEAST_SECONDS + SEEDS.requestsOfEach() * SECONDS_FOR_A_REQUEST;
    }

    /** Refusals aside, whoever only reads is served, and whoever shows the secret. */
    private static boolean isExpected(Outcome outcome) {
        MalformedRequest request = outcome.request();
        String sent = request.bytes();
        boolean isKnown = !request.sort().showsNoToken() && sent.contains(FenceExamples.SECRET);
        boolean reads = sent.matches("(?s).*(GET|HEAD|OPTIONS|TRACE)\\s.*");
        return outcome.statuses().stream()
                .allMatch(status -> REFUSALS_OF_THE_FENCE.contains(status)
                        || status / 100 == 4
                        || OF_SERVERS.contains(status)
                        || (status < 300 && (isKnown || reads)));
    }

    /** All that was written is the leaders', in the order of their tokens, and what they were told is there. */
    private static void assertLedger(List<String> written, LeaderThatWrites leader, String again) {
        assertThat(Set.copyOf(leader.sent())).as(again).containsAll(written);
        assertThat(written).as(again).containsAll(leader.acknowledged());
        assertThat(written.stream().map(MalformedRequestsTest::tokenOf))
                .as(again)
                .isSorted();
        assertThat(leader.acknowledged()).isNotEmpty();
    }

    private static long tokenOf(String line) {
        return Long.parseLong(line.substring(0, line.indexOf(' ')));
    }

    /** The mark is the last leader's. */
    private static void assertMark(Trial trial, LeaderThatWrites leader, String again) throws Exception {
        Mark mark = trial.sink()
                .marks()
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS)
                .of(ServiceMain.OFFICE)
                .orElseThrow();
        long last = leader.sent().stream()
                .mapToLong(MalformedRequestsTest::tokenOf)
                .max()
                .orElseThrow();

        assertThat(mark.owner().toString()).as(again).startsWith("candidate:c");
        assertThat(mark.token().value()).as(again).isBetween(last, last + 1);
    }

    private List<String> answers(int port) throws IOException {
        List<String> all = new java.util.ArrayList<>();
        for (Example example : examples) {
            all.add(example.method() + " " + example.path() + " " + Barrage.statusOf(port, example));
        }
        return all;
    }

    private static void report(Trial trial, Footprint before, Findings findings, int handedOver) {
        System.out.println("seed " + trial.seed() + ", " + SEEDS.requestsOfEach() + " requests to the fence on "
                + trial.server() + ": " + findings.counts() + ", " + handedOver + " terms handed over, "
                + findings.wrong().size() + " findings\n  before: " + before + "; after: " + trial.footprint() + ", "
                + trial.process().log().lines().count() + " lines of its log");
    }
}
