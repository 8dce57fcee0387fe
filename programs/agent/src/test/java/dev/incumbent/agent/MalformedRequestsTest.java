package dev.incumbent.agent;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.fuzz.Barrage;
import dev.incumbent.fuzz.Findings;
import dev.incumbent.fuzz.Footprint;
import dev.incumbent.fuzz.Fuzzer;
import dev.incumbent.fuzz.MalformedRequest.End;
import dev.incumbent.fuzz.Outcome;
import dev.incumbent.fuzz.Seeds;
import dev.incumbent.fuzz.Sort;
import dev.incumbent.servers.TemporaryFolder;
import dev.incumbent.servers.Waiting;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Malformed and hostile requests to the port of an agent, a process of its own, and to its Unix socket, while three owners lead. {@code scripts/fuzz} sends more of them; {@link Seeds} says how many are
 * sent here.
 */
@Tag("realtime")
@Timeout(value = 60, unit = TimeUnit.MINUTES)
final class MalformedRequestsTest {
    /** What is told to all. */
    private static final Pattern OPEN = Pattern.compile("(\\{})?|\\{\\s+\"openapi\": .*", Pattern.DOTALL);

    /** And the page for browsers, which asks for a token itself: its files, a character for each byte, as answers are held here. */
    private static final List<String> PAGE = PageFiles.read().values().stream()
            .map(text -> new String(text.getBytes(UTF_8), ISO_8859_1).strip())
            .toList();

    private static final Seeds SEEDS = Seeds.ofThisRun();
    /** What warms the agent up, of a seed of its own. */
    private static final int FIRST = 200;

    private static final int LEAST_SECONDS = 120;
    private static final int SECONDS_FOR_A_REQUEST = 2;
    /** Threads of pools, and connections of owners, come and go. */
    private static final int MORE = 12;

    private static final long MORE_HEAP = 12 << 20;
    /** An agent ends what says nothing more within 30 s. */
    private static final Duration UNTIL_ALL_IS_BACK = Duration.ofSeconds(60);

    private static final int SILENT = 60;
    private static final int TTL_MILLIS = 6000;
    private static final String FUZZED = "fuzz/one";
    private static final String FUZZED_ADDRESS = "/v1/elections/fuzz%2Fone";
    private static final Set<Integer> OF_SERVERS = Set.of(501, 503, 505);

    private final TemporaryFolder folder = TemporaryFolder.create("malformed");
    private final List<WatchedOwner> owners = new ArrayList<>();
    private AgentProcess agent;
    private SocketBridge bridge;

    /** Where requests are sent, of which examples they are made, and what came of them. */
    private record Place(int port, AgentExamples examples, Findings findings) {
        /** Malformed ones, and as many that are hostile as they are. */
        List<Fuzzer> fuzzers(long seed, int ofEach) {
            return List.of(
                    new Fuzzer(seed, examples.understood()),
                    new Fuzzer(seed, examples.hostile(seed, ofEach), List.of(Sort.AS_IT_IS)));
        }
    }

    @BeforeEach
    void start() throws IOException {
        agent = new AgentProcess(folder, AgentExamples.TOKENS);
        bridge = new SocketBridge(agent.socketPath());
        PlainHttp port = agent.port().bearing(AgentExamples.OWNER);
        owners.add(new WatchedOwner(LocalOwner.stand(agent.socket(), "guarded/socket", TTL_MILLIS)));
        owners.add(new WatchedOwner(LocalOwner.stand(port, "guarded/port", TTL_MILLIS)));
        owners.add(new WatchedOwner(LocalOwner.stand(port, "readable/port", TTL_MILLIS)));
    }

    @AfterEach
    void end() {
        owners.forEach(WatchedOwner::close);
        bridge.close();
        agent.close();
        folder.close();
    }

    static Stream<Long> seeds() {
        return SEEDS.seeds().stream();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void theyCostNoTermTellNoSecretAndLeaveNothingBehind(long seed) throws Exception {
        send(places(), 0, FIRST).forEach(Barrage::close);
        Footprint before = agent.footprint();
        List<Place> places = places();

        try (HeldConnections silent = HeldConnections.open(agent.port().address(), SILENT, "")) {
            List<Barrage> sent = send(places, seed, SEEDS.requestsOfEach());
            awaitEnds(sent, silent, places.get(0).findings());
            assertThat(silent.answered())
                    .as("silent connections that were answered")
                    .isZero();
            sent.forEach(Barrage::close);
        }
        Findings all = places.get(0).findings();
        Footprint.settled(UNTIL_ALL_IS_BACK, () -> agent.footprint().growthSince(before, MORE, MORE_HEAP))
                .forEach(all::note);
        agent.log().lines().forEach(all::heard);
        report(seed, places, before);

        assertThat(places.stream().flatMap(place -> place.findings().wrong().stream()))
                .as(SEEDS.replay(seed))
                .isEmpty();
        assertOwnersGoOn(SEEDS.replay(seed));
        assertAsBefore(SEEDS.replay(seed));
    }

    /** The port, to which the fuzzer shows a token of its own, and the socket, over which it may do everything: so it knows no owner there. */
    private List<Place> places() {
        List<String> own = List.of(candidacy(), candidacy());
        List<String> known = new ArrayList<>(own);
        owners.forEach(owner -> known.add(owner.id()));
        AgentExamples ofThePort = new AgentExamples(
                List.of("fuzz%2Fone", "fuzz%2Ftwo", "readable%2Fport", "guarded%2Fport", "guarded%2Fsocket"), known);
        AgentExamples ofTheSocket = new AgentExamples(List.of("fuzz%2Fone", "fuzz%2Fthree", "fuzz"), own);
        return List.of(
                new Place(agent.portNumber(), ofThePort, findings(rulesOfThePort())),
                new Place(bridge.port(), ofTheSocket, findings(rules())));
    }

    /** The id of one that stands, for as long as it is heard. */
    private String candidacy() {
        return agent.socket()
                .post(FUZZED_ADDRESS + "/campaign", "{\"ttlMs\":12000}")
                .json()
                .at("id")
                .text();
    }

    private Findings findings(Map<String, Predicate<Outcome>> rules) {
        List<String> secrets = new ArrayList<>(AgentExamples.CORES);
        owners.forEach(owner -> secrets.add(owner.id()));
        return new Findings(secrets, rules);
    }

    private static Map<String, Predicate<Outcome>> rules() {
        return Map.of(
                "the agent does not fail", MalformedRequestsTest::isNoFailure,
                "each JSON is read and each problem is one sentence", MalformedRequestsTest::isWellFormed,
                "what is well-formed is answered", MalformedRequestsTest::isAnswered);
    }

    private static Map<String, Predicate<Outcome>> rulesOfThePort() {
        Map<String, Predicate<Outcome>> rules = new HashMap<>(rules());
        rules.put(
                "whoever shows no token is told of health and of what there is to ask, and no more",
                MalformedRequestsTest::isToldItsOwn);
        rules.put(
                "nothing is told of elections that the token does not cover",
                outcome -> served(outcome).noneMatch(answer -> answer.body().contains("guarded/")));
        rules.put("whoever may only read stands nowhere", MalformedRequestsTest::isReadOnly);
        return rules;
    }

    private static boolean isNoFailure(Outcome outcome) {
        return outcome.statuses().stream().allMatch(status -> status < 500 || OF_SERVERS.contains(status));
    }

    private static boolean isWellFormed(Outcome outcome) {
        return HttpAnswers.of(outcome.answer()).stream().allMatch(HttpAnswers.One::isWellFormed);
    }

    private static boolean isAnswered(Outcome outcome) {
        boolean isRead =
                outcome.request().end() == End.READS || outcome.request().end() == End.HALF_CLOSES;
        return outcome.request().sort() != Sort.AS_IT_IS
                || !isRead
                || outcome.how() == Outcome.How.RESET
                || !outcome.statuses().isEmpty();
    }

    private static boolean isToldItsOwn(Outcome outcome) {
        boolean isKnown = !outcome.request().sort().showsNoToken()
                && outcome.request().bytes().contains(AgentExamples.FUZZ);
        return isKnown
                || served(outcome)
                        .map(answer -> answer.body().strip())
                        .allMatch(body -> OPEN.matcher(body).matches() || PAGE.contains(body));
    }

    private static boolean isReadOnly(Outcome outcome) {
        boolean isBeyond = outcome.request().bytes().matches("(?s)POST /v1/elections/(readable|guarded)%2F.*");
        return !isBeyond || served(outcome).findAny().isEmpty();
    }

    private static Stream<HttpAnswers.One> served(Outcome outcome) {
        return HttpAnswers.of(outcome.answer()).stream().filter(answer -> answer.status() < 300);
    }

    /** So many to each place; those that say nothing more are still open. */
    private static List<Barrage> send(List<Place> places, long seed, int count) throws InterruptedException {
        List<Barrage> all = new ArrayList<>();
        int ofEach = Math.max(1, count / 2);
        for (Place place : places) {
            for (Fuzzer fuzzer : place.fuzzers(seed, ofEach)) {
                Barrage barrage = new Barrage(fuzzer, List.of(place.port()));
                all.add(barrage);
                barrage.send(0, ofEach, LEAST_SECONDS + ofEach * SECONDS_FOR_A_REQUEST, place.findings()::take);
            }
        }
        return all;
    }

    private static void awaitEnds(List<Barrage> sent, HeldConnections silent, Findings findings) {
        if (!Waiting.within(UNTIL_ALL_IS_BACK, () -> stillOpen(sent) + silent.open() == 0)) {
            findings.note(stillOpen(sent) + silent.open() + " connections that say nothing more are still open");
        }
    }

    private static int stillOpen(List<Barrage> sent) {
        return sent.stream().mapToInt(Barrage::stillOpen).sum();
    }

    private void assertOwnersGoOn(String again) {
        for (WatchedOwner owner : owners) {
            assertThat(owner.troubles()).as("of an owner's; " + again).isEmpty();
            assertThat(owner.unanswered())
                    .as("heartbeats without an answer; " + again)
                    .isZero();
            assertThat(owner.answered()).as("heartbeats").isGreaterThan(10);
        }
    }

    /** Nobody stands beside the owners, nobody of the fuzzer's stands any more, and the agent answers. */
    private void assertAsBefore(String again) {
        for (String election : List.of("guarded%2Fsocket", "guarded%2Fport", "readable%2Fport")) {
            assertThat(owners(election))
                    .as("owners of " + election + "; " + again)
                    .isEqualTo(1);
        }
        Waiting.until("the end of all candidacies in " + FUZZED, () -> owners("fuzz%2Fone") == 0);
        assertThat(agent.port().get("/livez").status()).isEqualTo(200);
        assertThat(agent.socket().get("/readyz").status()).isEqualTo(200);
    }

    private int owners(String election) {
        return agent.socket()
                .get("/v1/elections/" + election)
                .json()
                .at("here")
                .at("owners")
                .items()
                .size();
    }

    private void report(long seed, List<Place> places, Footprint before) {
        System.out.println("seed " + seed + ", " + SEEDS.requestsOfEach()
                + " requests to the port and as many to the socket of an agent: "
                + places.stream().map(place -> place.findings().counts()).toList() + ", heartbeats "
                + owners.stream().map(WatchedOwner::answered).toList() + ", "
                + places.stream()
                        .mapToInt(place -> place.findings().wrong().size())
                        .sum() + " findings\n  before: "
                + before + "; after: " + agent.footprint() + ", "
                + agent.log().lines().count() + " lines of its log");
    }
}
