package dev.incumbent.cli.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.Elections;
import dev.incumbent.LeaderTask;
import dev.incumbent.Leadership;
import dev.incumbent.cli.frame.CommandRun;
import dev.incumbent.cli.frame.CommandRun.World;
import dev.incumbent.cli.frame.VerbTable;
import dev.incumbent.cli.sinks.Fence;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.memory.FaultyWire;
import dev.incumbent.coordinator.memory.MemoryCoordinator;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkProvider;
import dev.incumbent.fence.memory.MemorySink;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.model.SinkId;
import dev.incumbent.model.Timing;
import dev.incumbent.time.SystemTimeline;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import picocli.CommandLine.Command;

/** The verbs against live elections over the reference store, on real threads and real time. */
@Tag("patient")
class OperatorVerbsTest {
    private static final ElectionName JOB = new ElectionName("job");

    private final Timing timing;
    private final SystemTimeline time = new SystemTimeline();
    private final MemoryStore store = new MemoryStore(time);
    private final dev.incumbent.fence.memory.MemoryStore ledger =
            new dev.incumbent.fence.memory.MemoryStore(new SinkId("S-ledger"));
    private final FaultyWire wire = new FaultyWire();
    private final BlockingQueue<Leadership> begun = new LinkedBlockingQueue<>();

    /** A test that waits for the lease is tagged so, and has a short one. */
    OperatorVerbsTest(TestInfo test) {
        timing = Timing.ofLease(test.getTags().contains("realtime") ? Duration.ofSeconds(2) : Duration.ofMinutes(1));
    }

    @AfterEach
    void closeTime() {
        time.close();
    }

    @Test
    void transferHandsOverAndTellsTheNewToken() throws Exception {
        try (Elections a = standing("a")) {
            next();
            try (Elections b = standing("b")) {
                awaitEnlisted(2);

                CommandRun run = run("transfer", "job", "--to", "b", "-o", "json");

                assertThat(run.code()).as(run.err()).isZero();
                assertThat(run.out())
                        .contains("\"outcome\":\"transferred\"", "\"token\":2", "\"name\":\"b\"", "\"gapMs\":");
                assertThat(run.err()).contains("asked a@", "to hand over to b@");
                assertThat(next().term().leader()).isEqualTo(b.candidate());
                assertThat(a.candidate().name()).isEqualTo("a");
            }
        }
    }

    @Test
    void transferToNobodyIsRefusedWith80AndTheSameTermGoesOn() throws Exception {
        try (Elections a = standing("a")) {
            Leadership leadership = next();

            CommandRun run = run("transfer", "job", "--to", "nobody");

            assertThat(run.code()).isEqualTo(80);
            assertThat(run.out()).isEmpty();
            assertThat(run.err())
                    .contains(
                            "no live candidate is called nobody",
                            a.candidate().id().value());
            assertThat(leadership.holds()).isTrue();
        }
    }

    @Test
    void anAmbiguousNameIsRefusedWith64AndItsIdsAreListed() throws Exception {
        try (Elections a = standing("a")) {
            next();
            try (Elections b = standing("b");
                    Elections other = standing("b")) {
                awaitEnlisted(3);

                CommandRun run = run("transfer", "job", "--to", "b");

                assertThat(run.code()).isEqualTo(64);
                assertThat(run.err())
                        .contains(
                                b.candidate().id().value(),
                                other.candidate().id().value());
                assertThat(a.candidate().name()).isEqualTo("a");
            }
        }
    }

    @Test
    @Tag("realtime")
    void aTransferThatTheTaskDoesNotStopForIsTakenBackWith80() throws Exception {
        CountDownLatch stop = new CountDownLatch(1);
        try (Elections a = standing("a", leadership -> awaitUninterrupted(stop))) {
            Leadership leadership = next();
            try (Elections b = standing("b")) {
                awaitEnlisted(2);

                CommandRun run = run("transfer", "job", "--to", "b", "-o", "json");

                assertThat(run.code()).isEqualTo(80);
                assertThat(run.out())
                        .contains(
                                "\"outcome\":\"taken-back\"", a.candidate().id().value());
                assertThat(leadership.holds()).isTrue();
                assertThat(record().request()).isEmpty();
                assertThat(b.candidate().name()).isEqualTo("b");
            } finally {
                stop.countDown();
            }
        }
    }

    @Test
    void aCoordinatorNotReachedIsToldWith69() {
        wire.suffer(FaultyWire.Fault.REFUSED);

        assertThat(run("freeze", "job", "--why", "x").code()).isEqualTo(69);
        assertThat(run("thaw", "job").code()).isEqualTo(69);
        assertThat(run("transfer", "job", "--to", "a").code()).isEqualTo(69);
        assertThat(run("fence", "retire", "job", "--sink-id", "S-ledger").code())
                .isEqualTo(69);
    }

    @Test
    void resignLetsTheNextLead() throws Exception {
        try (Elections a = standing("a")) {
            next();
            try (Elections b = standing("b")) {
                awaitEnlisted(2);

                CommandRun run = run("resign", "job");

                assertThat(run.code()).as(run.err()).isZero();
                assertThat(run.out())
                        .startsWith("term 1 of job is over, " + b.candidate().id() + " leads, token 2");
                assertThat(a.candidate().name()).isEqualTo("a");
            }
        }
    }

    @Test
    void freezeStopsTheLeaderAndThawLetsTheNextTermBegin() throws Exception {
        try (Elections a = standing("a")) {
            Leadership first = next();

            CommandRun frozen = run("freeze", "job", "--why", "two ledgers", "--sink", "memory:ledger", "-o", "json");
            boolean held = first.holds();
            boolean closed = Objects.requireNonNull(ledger.marks().get(JOB)).owner() instanceof MarkOwner.OfFreeze;
            CommandRun thawed = run("thaw", "job", "--sink", "memory:ledger");

            assertThat(frozen.code()).as(frozen.err()).isZero();
            assertThat(frozen.out()).contains("\"closed\":true", "\"leader\":null", "\"why\":\"two ledgers\"");
            assertThat(held).isFalse();
            assertThat(closed).isTrue();
            assertThat(thawed.code()).as(thawed.err()).isZero();
            assertThat(thawed.out()).isEqualTo("job is thawed; the next term is above 3\n");
            assertThat(next().token().value()).isEqualTo(4);
            assertThat(a.candidate().name()).isEqualTo("a");
        }
    }

    @Test
    void freezeWithoutARecordedSinkSetsTheFlagAndNamesTheSinkWith81() throws Exception {
        try (Elections a = standing("a")) {
            next();

            CommandRun frozen = run("freeze", "job", "--why", "x");
            CommandRun thawed = run("thaw", "job");

            assertThat(frozen.code()).isEqualTo(81);
            assertThat(frozen.err()).contains("sink memory:S-ledger is open: recorded as S-ledger, and not given");
            assertThat(thawed.code()).isEqualTo(81);
            assertThat(thawed.err()).contains("nothing was done");
            assertThat(record().isFrozen()).isTrue();
            assertThat(a.candidate().name()).isEqualTo("a");
        }
    }

    @Test
    @Tag("realtime")
    void freezeWaitsUntilQuietWhereItIsAskedTo() throws Exception {
        try (Elections a = standing("a")) {
            next();

            CommandRun run =
                    run("freeze", "job", "--why", "x", "--sink", "memory:ledger", "--wait", "quiet", "-o", "json");

            assertThat(run.code()).as(run.err()).isZero();
            assertThat(run.out()).contains("\"quiet\":true", "\"untilQuietMs\":0");
            assertThat(run.err()).contains("quiet in");
            assertThat(a.candidate().name()).isEqualTo("a");
        }
    }

    @Test
    void aForgottenSinkNoLongerStandsInTheRecord() throws Exception {
        try (Elections a = standing("a")) {
            next();

            CommandRun forgotten = run("fence", "retire", "job", "--sink-id", "S-ledger", "-o", "json");
            Set<SinkId> retired = record().retiredSinks();
            CommandRun restored = run("fence", "retire", "job", "--sink-id", "S-ledger", "--undo");
            CommandRun unknown = run("fence", "retire", "job", "--sink-id", "S-other");

            assertThat(forgotten.out()).contains("\"outcome\":\"retired\"", "\"changed\":true");
            assertThat(retired).containsExactly(new SinkId("S-ledger"));
            assertThat(restored.out()).isEqualTo("sink S-ledger of job is not retired\n");
            assertThat(unknown.code()).isEqualTo(1);
            assertThat(a.candidate().name()).isEqualTo("a");
        }
    }

    @Test
    void whereNobodyLeadsATransferAndAResignationAreRefused() {
        assertThat(run("freeze", "job", "--why", "x").err()).contains("there was no election job here until now");
        assertThat(run("freeze", "job", "--why", "x").err()).doesNotContain("until now");
        run("thaw", "job");

        assertThat(run("transfer", "job", "--to", "a").code()).isEqualTo(80);
        assertThat(run("resign", "job").code()).isEqualTo(80);
        assertThat(run("thaw", "job").out()).isEqualTo("job is not frozen\n");
    }

    @Test
    void whatCannotBeMeantIsRefusedWith64() {
        assertThat(run("freeze", "job").code()).isEqualTo(64);
        assertThat(run("transfer", "job").code()).isEqualTo(64);
        assertThat(run("freeze", "job", "--why", "x", "--wait", "long").code()).isEqualTo(64);
        assertThat(run("fence", "retire", "job", "--sink-id", "a b").code()).isEqualTo(64);
    }

    private Elections standing(String name) {
        return standing(name, leadership -> new CountDownLatch(1).await());
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        boolean interrupted = false;
        while (latch.getCount() > 0) {
            try {
                latch.await();
            } catch (InterruptedException notHeeded) {
                interrupted = true;
            }
        }
        assertThat(interrupted).isTrue();
    }

    private Elections standing(String name, LeaderTask task) {
        Elections elections = Elections.over(connected())
                .name(name)
                .timing(timing)
                .timeline(time)
                .open();
        elections.election("job").guarding(sink()).campaign(leadership -> {
            begun.add(leadership);
            task.lead(leadership);
        });
        return elections;
    }

    private Leadership next() throws InterruptedException {
        Leadership leadership = begun.poll(10, TimeUnit.SECONDS);
        assertThat(leadership).as("somebody leads").isNotNull();
        return leadership;
    }

    private void awaitEnlisted(int count) throws InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        for (int i = 0; i < 200 && enlisted() < count; i++) {
            assertThat(never.await(20, TimeUnit.MILLISECONDS)).isFalse();
        }
        assertThat(enlisted()).isEqualTo(count);
    }

    private int enlisted() {
        return connected()
                .candidates(Set.of(JOB))
                .toCompletableFuture()
                .join()
                .getOrDefault(JOB, List.of())
                .size();
    }

    private LeaderRecord record() {
        Reading reading =
                connected().read(Set.of(JOB)).toCompletableFuture().join().get(JOB);
        return reading instanceof Reading.Found found ? found.record().record() : LeaderRecord.EMPTY;
    }

    private Coordinator connected() {
        return MemoryCoordinator.connect(store, time, timing.requestTimeout());
    }

    private Sink sink() {
        return new MemorySink(ledger, time, Duration.ofSeconds(5));
    }

    private CommandRun run(String... args) {
        String[] all = java.util.stream.Stream.concat(
                        java.util.Arrays.stream(args), java.util.stream.Stream.of("--at", "memory:"))
                .toArray(String[]::new);
        return CommandRun.of(
                new Root(), new Table(), Map.of(), new World(time, List.of(new Stores()), List.of(new Sinks())), all);
    }

    @Command(name = "incumbent")
    private static final class Root {}

    private static final class Table implements VerbTable {
        @Override
        public List<String> names() {
            return List.of("transfer", "resign", "freeze", "thaw", "fence", "fence retire");
        }

        @Override
        public Object make(String name) {
            return switch (name) {
                case "transfer" -> new Transfer();
                case "resign" -> new Resign();
                case "freeze" -> new Freeze();
                case "thaw" -> new Thaw();
                case "fence" -> new Fence();
                default -> new FenceRetire();
            };
        }
    }

    private final class Stores implements CoordinatorProvider {
        @Override
        public Set<String> schemes() {
            return Set.of("memory");
        }

        @Override
        public Coordinator open(String at, Timeline timeline, Duration requestTimeout, Mode mode) {
            return MemoryCoordinator.connect(store, wire, timeline, requestTimeout);
        }
    }

    private final class Sinks implements SinkProvider {
        @Override
        public boolean opens(String url) {
            return url.equals("memory:ledger");
        }

        @Override
        public Set<String> schemes() {
            return Set.of("memory");
        }

        @Override
        public Sink open(String url, Duration bound) {
            return sink();
        }

        @Override
        public void install(String url) {}

        @Override
        public void guard(String url, String table, ElectionName election) {}
    }
}
