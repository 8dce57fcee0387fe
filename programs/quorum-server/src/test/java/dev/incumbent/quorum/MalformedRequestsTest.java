package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.incumbent.fuzz.Barrage;
import dev.incumbent.fuzz.Example;
import dev.incumbent.fuzz.Findings;
import dev.incumbent.fuzz.Footprint;
import dev.incumbent.fuzz.Fuzzer;
import dev.incumbent.fuzz.Outcome;
import dev.incumbent.fuzz.Seeds;
import dev.incumbent.fuzz.Sort;
import dev.incumbent.servers.QuorumCluster;
import dev.incumbent.servers.TemporaryFolder;
import dev.incumbent.servers.Waiting;
import dev.incumbent.time.SystemTimeline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Malformed requests to the clients' ports of three nodes, each a process with the heap that a node gets along with, while five candidates lead in turn. {@code scripts/fuzz} sends more of them; {@link
 * Seeds} says how many are sent here.
 */
@Tag("realtime")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Execution(ExecutionMode.SAME_THREAD)
@Timeout(value = 60, unit = TimeUnit.MINUTES)
final class MalformedRequestsTest {
    private static final Seeds SEEDS = Seeds.ofThisRun();
    /** What warms the nodes up, of a seed of its own. */
    private static final int FIRST = 150;

    private static final int SECONDS_FOR_A_REQUEST = 2;
    private static final int LEAST_SECONDS = 120;
    /** A few connections of candidates and of the nodes among themselves come and go. */
    private static final int MORE = 12;

    private static final long MORE_HEAP = 12 << 20;
    /** A node ends what says nothing more within 10 s, and what is idle within 30. */
    private static final Duration UNTIL_ALL_IS_BACK = Duration.ofSeconds(60);

    private static final List<Sort> OTHER_PROTOCOLS =
            List.of(Sort.NOTHING, Sort.HTTP_2, Sort.TLS_HELLO, Sort.OTHER_PROTOCOL, Sort.NOISE, Sort.BITS_FLIPPED);

    private static final Map<String, Predicate<Outcome>> RULES = Map.of(
            "what is malformed is refused, or sent by whoever shows a token", MalformedRequestsTest::isExpected,
            "a head that is too long is refused for that", MalformedRequestsTest::isRefusedForItsHead);
    /** With some bytes to spare, since ends of lines do not count. */
    private static final int LONGEST_HEAD = 20_000;

    private static final Set<Integer> TOLD_OF_HEALTH = Set.of(200, 503);
    private static final Pattern WORD = Pattern.compile("\r\n\r\n(live|ready|unready)\n");
    private static final Set<Integer> OF_HEADS = Set.of(400, 414, 431);

    /** So long that a machine that is busy with other tests ends none. */
    private static final Duration LEASE = Duration.ofSeconds(12);

    private static final int BETWEEN_QUESTIONS_MILLIS = 100;

    private final TemporaryFolder folder = TemporaryFolder.create("malformed");
    private final List<Example> examples = QuorumExamples.all();
    private final SystemTimeline time = new SystemTimeline();
    private QuorumCluster cluster;
    private HandingOver candidates;

    @BeforeAll
    void start() throws IOException, InterruptedException {
        List<String> flags = new ArrayList<>(List.of("--election-timeout", ServerMain.PATIENT));
        for (Role role : Role.values()) {
            String name = role.name().toLowerCase(Locale.ROOT) + "-token";
            Path file = Files.writeString(folder.resolve(name), QuorumExamples.token(role) + "\n");
            flags.addAll(List.of("--" + name + "-file", file.toString()));
        }
        cluster = QuorumCluster.startGuarded(
                3, logging(), QuorumExamples.token(Role.READER), flags.toArray(new String[0]));
        candidates = new HandingOver(cluster.uri() + "?token-file=" + folder.resolve("candidate-token"), LEASE);
        try (Barrage first = new Barrage(new Fuzzer(0, examples), ports())) {
            first.send(0, FIRST, LEAST_SECONDS, outcome -> {});
        }
    }

    /** A node that logs what Ratis and Netty have to say. */
    private static List<String> logging() {
        List<String> command = new ArrayList<>(ServerMain.command());
        command.addAll(1, List.of("-Dorg.slf4j.simpleLogger.defaultLogLevel=info", "-XX:+ExitOnOutOfMemoryError"));
        return command;
    }

    @AfterAll
    void end() {
        candidates.close();
        cluster.close();
        time.close();
        folder.close();
    }

    private List<Integer> ports() {
        return cluster.nodes().stream().map(QuorumCluster.Node::port).toList();
    }

    static Stream<Long> seeds() {
        return SEEDS.seeds().stream();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void theyCostNoTermNoLeaseAndNoAnswerAndLeaveNothingBehind(long seed) throws Exception {
        Findings findings = new Findings(QuorumExamples.cores(), RULES);
        List<Footprint> before = footprints();
        List<String> answers = answers();
        int handedOver = candidates.handedOver();

        long beganNanos = time.nanos();
        long sentNanos;
        try (Asking asking = new Asking(findings);
                Barrage barrage = new Barrage(new Fuzzer(seed, examples), ports())) {
            barrage.send(0, SEEDS.requestsOfEach(), seconds(), findings::take);
            sentNanos = time.nanos();
            assertThat(asking.asked()).as("questions for the status").isPositive();
            if (!Waiting.within(UNTIL_ALL_IS_BACK, () -> barrage.stillOpen() == 0)) {
                findings.note(barrage.stillOpen() + " connections that say nothing more are still open");
            }
        }
        long endedNanos = time.nanos();
        settle(before, findings);
        System.out.printf(
                "sent in %d ms, ended by the nodes after %d ms, all back after %d ms%n",
                TimeUnit.NANOSECONDS.toMillis(sentNanos - beganNanos),
                TimeUnit.NANOSECONDS.toMillis(endedNanos - sentNanos),
                TimeUnit.NANOSECONDS.toMillis(time.nanos() - endedNanos));
        Waiting.until("a term that is handed over", () -> candidates.handedOver() > handedOver);
        report(seed, before, findings, handedOver);

        String again = SEEDS.replay(seed);
        assertThat(findings.wrong()).as(again).isEmpty();
        assertThat(candidates.lost()).as("terms that were lost; " + again).isEmpty();
        assertThat(candidates.leasesThatEnded())
                .as("leases that ended; " + again + " " + candidates.troubles())
                .isZero();
        assertThat(answers())
                .as("well-formed requests are answered as before; " + again)
                .isEqualTo(answers);
    }

    /** Waits until all is as it was. */
    private void settle(List<Footprint> before, Findings findings) {
        cluster.nodes().stream()
                .filter(node -> !node.isRunning())
                .forEach(node -> fail(node.name() + " ended: " + node.process().logTail() + findings.wrong()));
        Footprint.settled(UNTIL_ALL_IS_BACK, () -> growth(before)).forEach(findings::note);
        cluster.nodes().forEach(node -> node.process().log().lines().forEach(findings::heard));
        cluster.nodes().stream()
                .filter(node -> !cluster.status(node).contains("\"members\"")
                        || cluster.status(node).contains("halted"))
                .forEach(node -> findings.note(node.name() + " says of itself: " + cluster.status(node)));
    }

    private void assertHarmless(Findings findings, String again) {
        assertThat(findings.wrong()).as(again).isEmpty();
        assertThat(candidates.lost()).as("terms that were lost; " + again).isEmpty();
        assertThat(candidates.leasesThatEnded())
                .as("leases that ended; " + again + " " + candidates.troubles())
                .isZero();
    }

    /** Where members alone have business, and speak gRPC. */
    @Test
    void whatIsNoGrpcCostsNoTermOnTheRaftPortsAndLeavesNothingBehind() throws Exception {
        long seed = SEEDS.seeds().get(0);
        Findings findings = new Findings(
                QuorumExamples.cores(),
                Map.of("it answers no HTTP", outcome -> outcome.statuses().isEmpty()));
        List<Integer> ports =
                cluster.nodes().stream().map(QuorumCluster.Node::raftPort).toList();
        List<Footprint> before = footprints();
        int handedOver = candidates.handedOver();

        try (Barrage barrage = new Barrage(new Fuzzer(seed, examples, OTHER_PROTOCOLS), ports)) {
            barrage.send(0, SEEDS.requestsOfEach() / 4, seconds(), findings::take);
        }
        settle(before, findings);
        Waiting.until("a term that is handed over", () -> candidates.handedOver() > handedOver);
        report(seed, before, findings, handedOver);

        assertHarmless(findings, SEEDS.replay(seed));
    }

    private static int seconds() {
        return LEAST_SECONDS + SEEDS.requestsOfEach() * SECONDS_FOR_A_REQUEST;
    }

    private List<Footprint> footprints() {
        return cluster.nodes().stream()
                .map(node -> Footprint.of(node.process().pid()))
                .toList();
    }

    private List<String> growth(List<Footprint> before) {
        List<String> grown = new ArrayList<>();
        List<Footprint> after = footprints();
        for (int i = 0; i < before.size(); i++) {
            String name = cluster.nodes().get(i).name();
            after.get(i).growthSince(before.get(i), MORE, MORE_HEAP).forEach(what -> grown.add(name + " " + what));
        }
        return grown;
    }

    /** Unless a request before it was answered. */
    private static boolean isRefusedForItsHead(Outcome outcome) {
        return outcome.request().headLength() < LONGEST_HEAD || OF_HEADS.containsAll(outcome.statuses());
    }

    /** A refusal aside, only whoever shows a token is served; everybody is told how a node is. */
    private static boolean isExpected(Outcome outcome) {
        String sent = outcome.request().bytes();
        boolean isKnown = !outcome.request().sort().showsNoToken()
                && Arrays.stream(Role.values()).anyMatch(role -> sent.contains(QuorumExamples.token(role)));
        // A node answers 503 while nobody leads, and when it is asked too much at once.
        boolean isServed =
                outcome.statuses().stream().allMatch(status -> status < 300 || status / 100 == 4 || status == 503);
        return outcome.isRefused() || (isServed && isKnown) || isOfHealth(outcome);
    }

    /** Whoever is not refused is told one word of how the node is; by HEAD, none. */
    private static boolean isOfHealth(Outcome outcome) {
        long served =
                outcome.statuses().stream().filter(TOLD_OF_HEALTH::contains).count();
        boolean isRefusedElse =
                outcome.statuses().stream().allMatch(status -> TOLD_OF_HEALTH.contains(status) || status / 100 == 4);
        boolean isOneWord = WORD.matcher(outcome.answer()).results().count() == served
                || outcome.request().bytes().startsWith("HEAD ");
        return isRefusedElse && isOneWord;
    }

    /** What each example is answered, by its first line, at each node. */
    private List<String> answers() throws IOException {
        List<String> all = new ArrayList<>();
        for (QuorumCluster.Node node : cluster.nodes()) {
            for (Example example : examples) {
                all.add(node.name() + " " + example.path() + " " + Barrage.statusOf(node.port(), example));
            }
        }
        return all;
    }

    private void report(long seed, List<Footprint> before, Findings findings, int handedOver) {
        System.out.println("seed " + seed + ", " + SEEDS.requestsOfEach() + " requests to the quorum: "
                + findings.counts() + ", " + (candidates.handedOver() - handedOver) + " terms handed over, "
                + findings.wrong().size() + " findings");
        List<Footprint> after = footprints();
        for (int i = 0; i < after.size(); i++) {
            System.out.println("  " + cluster.nodes().get(i).name() + " before: " + before.get(i) + "; after: "
                    + after.get(i) + ", "
                    + cluster.nodes().get(i).process().log().lines().count() + " lines of its log");
        }
    }

    /** Asks each node for its status, all the time, and notes who does not answer within a second. */
    private final class Asking implements AutoCloseable {
        private final Findings findings;
        private final Thread thread = new Thread(this::run, "asking");
        private final AtomicInteger asked = new AtomicInteger();
        private volatile boolean over;

        private Asking(Findings findings) {
            this.findings = findings;
            thread.start();
        }

        private void run() {
            while (!over) {
                for (QuorumCluster.Node node : cluster.nodes()) {
                    int question = asked.incrementAndGet();
                    if (cluster.status(node).isEmpty()) {
                        findings.note(
                                node.name() + " did not tell its status within a second, at question " + question);
                    }
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(BETWEEN_QUESTIONS_MILLIS));
            }
        }

        private int asked() {
            return asked.get();
        }

        @Override
        public void close() {
            over = true;
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
