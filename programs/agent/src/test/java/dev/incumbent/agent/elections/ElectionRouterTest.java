package dev.incumbent.agent.elections;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.ElectionListener;
import dev.incumbent.ElectionStatus;
import dev.incumbent.Elections;
import dev.incumbent.agent.owners.OwnersEffect.Leads;
import dev.incumbent.agent.owners.OwnersEffect.Refused;
import dev.incumbent.agent.owners.OwnersEffect.Reply;
import dev.incumbent.agent.owners.OwnersEffect.Stands;
import dev.incumbent.agent.owners.OwnersEffect.Unknown;
import dev.incumbent.agent.owners.OwnersEffect.Why;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.memory.FaultyWire;
import dev.incumbent.coordinator.memory.FaultyWire.Fault;
import dev.incumbent.coordinator.memory.MemoryCoordinator;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.memory.MemorySink;
import dev.incumbent.model.CandidateRank;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.SinkId;
import dev.incumbent.model.Timing;
import dev.incumbent.servers.Waiting;
import dev.incumbent.time.SystemTimeline;
import java.text.MessageFormat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The elections of two coordinators, {@code batch/} at one of its own: their bounds, their threads and their end, in real time. */
@Tag("patient")
@Timeout(120)
class ElectionRouterTest {
    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final Duration TTL = Duration.ofSeconds(6);
    /** Far longer than any test waits for an answer. */
    private static final Duration REQUEST = Duration.ofSeconds(60);

    private static final ElectionName JOB = new ElectionName("job");
    private static final ElectionName BATCH = new ElectionName("batch/job");

    private final SystemTimeline time = new SystemTimeline();
    private final FaultyWire wire = new FaultyWire();
    private ElectionRouter router;

    @BeforeEach
    void open() {
        Coordinator others = MemoryCoordinator.connect(new MemoryStore(time), time, REQUEST);
        Coordinator batch = MemoryCoordinator.connect(new MemoryStore(time), wire, time, REQUEST);
        router = open(new PrefixMap<>(others, Map.of(new Prefix("batch/"), batch)));
    }

    private static ElectionRouter open(PrefixMap<Coordinator> coordinators, Sink... sinks) {
        return ElectionRouter.open(
                new HostSetup(
                        coordinators,
                        Timing.ofLease(LEASE),
                        Optional.of("h"),
                        "",
                        CandidateRank.PLAIN,
                        Optional.empty(),
                        List.of(sinks),
                        false,
                        Optional.empty(),
                        Optional.empty()),
                name -> ElectionListener.NONE);
    }

    @AfterEach
    void end() {
        router.close();
        time.close();
    }

    @Test
    void theElectionsOfAllCoordinatorsHaveOneBound() {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < Bounds.ELECTIONS; i++) {
            ElectionName election = new ElectionName((i % 2 == 0 ? "batch/e" : "e") + i);
            ids.add(((Stands) campaign(election)).id());
        }

        assertThat(((Refused) campaign(JOB)).why()).isEqualTo(Why.FULL);
        assertThat(((Refused) campaign(BATCH)).why()).isEqualTo(Why.FULL);
        leave(new ElectionName("batch/e0"), ids.get(0));
        Waiting.until("room for one", () -> campaign(JOB) instanceof Stands);
        assertThat(((Refused) campaign(BATCH)).why()).isEqualTo(Why.FULL);
    }

    @Test
    void allMayTakeTogetherWhatTheAgentMay() {
        for (int coordinators = 1; coordinators <= Bounds.COORDINATORS; coordinators++) {
            Allowance each = Allowance.among(coordinators);
            assertThat(each.questions() * coordinators).isBetween(1, Bounds.QUESTIONS);
            assertThat(each.waiting() * coordinators).isBetween(Bounds.WAITING / 2, Bounds.WAITING);
            assertThat(each.elections().availablePermits()).isEqualTo(Bounds.ELECTIONS);
        }
        assertThat(Allowance.among(1).questions()).isEqualTo(Bounds.QUESTIONS);
    }

    @Test
    void thereAreOnlySoManyCoordinators() {
        Map<Prefix, Coordinator> many = new HashMap<>();
        for (int i = 0; i < Bounds.COORDINATORS; i++) {
            many.put(new Prefix("p" + i), MemoryCoordinator.connect(new MemoryStore(time), time, REQUEST));
        }
        Coordinator others = MemoryCoordinator.connect(new MemoryStore(time), time, REQUEST);

        assertThatThrownBy(() -> open(new PrefixMap<>(others, many)))
                .hasMessage("an agent has at most 8 coordinators, not 9");
    }

    /** Questions that get no answer would otherwise take the places of all others, one request timeout after the other. */
    @Test
    void questionsThatOneCoordinatorDoesNotAnswerHoldUpNoneToAnother() throws Exception {
        wire.suffer(Fault.SILENT);
        List<CompletionStage<ElectionStatus>> unanswered = new ArrayList<>();
        for (int i = 0; i < 3 * Bounds.QUESTIONS; i++) {
            unanswered.add(router.of(BATCH).status(BATCH));
        }

        router.of(JOB).status(JOB).toCompletableFuture().get(20, TimeUnit.SECONDS);
        router.names(router.beneath(new Prefix("web/"))).toCompletableFuture().get(20, TimeUnit.SECONDS);
        assertThat(unanswered).noneMatch(one -> one.toCompletableFuture().isDone());
    }

    @Test
    void aThreadThatStandsStillDelaysNoOwnerOfAnotherCoordinatorAndIsNoticed() throws InterruptedException {
        CountDownLatch stands = new CountDownLatch(1);
        CountDownLatch ends = new CountDownLatch(1);
        router.of(BATCH).campaign(BATCH, new Stander("test", TTL), reply -> {
            stands.countDown();
            awaitEnd(ends);
        });
        stands.await();

        assertThat(campaign(JOB)).isInstanceOf(Stands.class);
        assertThat(router.lives(Duration.ofMillis(300))).isFalse();
        ends.countDown();
        assertThat(router.lives(Duration.ofSeconds(20))).isTrue();
    }

    private static void awaitEnd(CountDownLatch ends) {
        try {
            ends.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void allDrainAtOnceAndAnswerUntilTheLastTermIsOver() throws Exception {
        ElectionName other = new ElectionName("batch/other");
        String job = lead(JOB);
        String batch = lead(BATCH);
        Thread closing = new Thread(router::close, "closes");
        closing.start();

        Waiting.until("no owner of one may stand", () -> campaign(other) instanceof Refused);
        Waiting.until("no owner of the other may stand", () -> campaign(new ElectionName("o")) instanceof Refused);
        assertThat(((Refused) campaign(other)).why()).isEqualTo(Why.DRAINING);
        leave(BATCH, batch);
        router.of(BATCH).drain().toCompletableFuture().get(20, TimeUnit.SECONDS);
        assertThat(asked(reply -> router.of(BATCH).heartbeat(BATCH, heartbeat(batch), reply)))
                .as("its own coordinator has no term any more, and still answers")
                .isInstanceOf(Unknown.class);
        assertThat(closing.isAlive()).as("the other term is not over").isTrue();
        leave(JOB, job);
        closing.join(TimeUnit.SECONDS.toMillis(20));
        assertThat(closing.isAlive()).isFalse();
    }

    /** What the documents say of an election whose prefix is given to another coordinator. */
    @Test
    void anElectionThatMovesToAnotherCoordinatorGoesOnAboveTheMarksOfItsSinks() {
        Sink sink = new MemorySink(
                new dev.incumbent.fence.memory.MemoryStore(new SinkId("s")), time, Duration.ofSeconds(1));
        Coordinator from = MemoryCoordinator.connect(new MemoryStore(time), time, REQUEST);
        Coordinator to = MemoryCoordinator.connect(new MemoryStore(time), time, REQUEST);
        long last = 0;
        for (int term = 0; term < 2; term++) {
            last = tokenOfATermAt(from, sink);
        }

        assertThat(last).isGreaterThan(1);
        assertThat(tokenOfATermAt(to, sink)).isGreaterThan(last);
    }

    private long tokenOfATermAt(Coordinator coordinator, Sink sink) {
        try (ElectionRouter one = open(new PrefixMap<>(coordinator, Map.of()), sink)) {
            String id = ((Stands) asked(reply -> one.of(JOB).campaign(JOB, new Stander("test", TTL), reply))).id();
            Reply[] last = new Reply[1];
            Waiting.until("it is led", () -> {
                last[0] = asked(reply -> one.of(JOB).heartbeat(JOB, heartbeat(id), reply));
                return last[0] instanceof Leads;
            });
            asked(reply -> one.of(JOB).leave(JOB, id, reply));
            return ((Leads) last[0]).token();
        }
    }

    @Test
    void theLogNamesTheCoordinatorThatGivesNoLease() {
        List<String> lines = new CopyOnWriteArrayList<>();
        Handler handler = new LinesHandler(lines);
        Logger logger = Logger.getLogger(Elections.LOGGER);
        logger.addHandler(handler);
        try {
            wire.suffer(Fault.REFUSED);
            campaign(BATCH);
            campaign(JOB);
            Waiting.until(
                    "the outage is told",
                    () -> lines.stream()
                            .anyMatch(
                                    line -> line.startsWith("WARNING it is the coordinator of batch/ that gives no")));
            wire.heal();
            Waiting.until(
                    "its end is told",
                    () -> lines.contains("INFO it is the coordinator of batch/ that gives leases again"));
        } finally {
            logger.removeHandler(handler);
        }
        assertThat(lines).noneMatch(line -> line.contains("the coordinator of *"));
    }

    /** Keeps what is logged, as people read it. */
    private static final class LinesHandler extends Handler {
        private final List<String> lines;

        private LinesHandler(List<String> lines) {
            this.lines = lines;
        }

        @Override
        public void publish(LogRecord line) {
            lines.add(line.getLevel() + " " + MessageFormat.format(line.getMessage(), line.getParameters()));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    private String lead(ElectionName election) {
        String id = ((Stands) campaign(election)).id();
        Waiting.until(
                election + " is led",
                () -> asked(reply -> router.of(election).heartbeat(election, heartbeat(id), reply)) instanceof Leads);
        return id;
    }

    private Reply campaign(ElectionName election) {
        return asked(reply -> router.of(election).campaign(election, new Stander("test", TTL), reply));
    }

    private void leave(ElectionName election, String id) {
        asked(reply -> router.of(election).leave(election, id, reply));
    }

    private static Heartbeat heartbeat(String id) {
        return new Heartbeat(id, OptionalLong.empty(), Duration.ZERO);
    }

    private static Reply asked(Consumer<Consumer<Reply>> question) {
        CompletableFuture<Reply> reply = new CompletableFuture<>();
        question.accept(reply::complete);
        return reply.orTimeout(30, TimeUnit.SECONDS).join();
    }
}
