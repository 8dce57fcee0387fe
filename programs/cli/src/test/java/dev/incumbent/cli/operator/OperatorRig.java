package dev.incumbent.cli.operator;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.Elections;
import dev.incumbent.LeaderTask;
import dev.incumbent.cli.frame.CommandRun;
import dev.incumbent.cli.frame.CommandRun.World;
import dev.incumbent.cli.frame.VerbTable;
import dev.incumbent.cli.reading.StonithList;
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
import dev.incumbent.model.Revision;
import dev.incumbent.model.SinkId;
import dev.incumbent.model.Timing;
import dev.incumbent.time.SystemTimeline;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import picocli.CommandLine.Command;

/** The operator's verbs over a reference store and a ledger in this JVM, with live elections beside them, on real threads and real time. */
final class OperatorRig implements AutoCloseable {
    /** Leads until it is interrupted. */
    static final LeaderTask TASK = leadership -> new CountDownLatch(1).await();

    private static final Map<String, Supplier<Object>> VERBS = Map.ofEntries(
            Map.entry("transfer", Transfer::new),
            Map.entry("resign", Resign::new),
            Map.entry("drain", Drain::new),
            Map.entry("cordon", Cordon::new),
            Map.entry("uncordon", Uncordon::new),
            Map.entry("freeze", Freeze::new),
            Map.entry("thaw", Thaw::new),
            Map.entry("reconcile", Reconcile::new),
            Map.entry("stonith", StonithGroup::new),
            Map.entry("stonith list", StonithList::new),
            Map.entry("stonith confirm", StonithConfirm::new),
            Map.entry("fence", Fence::new),
            Map.entry("fence retire", FenceRetire::new));

    final SystemTimeline time = new SystemTimeline();
    final MemoryStore store = new MemoryStore(time);
    /** Between the verbs and the store; the elections have none. */
    final FaultyWire wire = new FaultyWire();

    final dev.incumbent.fence.memory.MemoryStore ledger =
            new dev.incumbent.fence.memory.MemoryStore(new SinkId("S-ledger"));
    private final Timing timing;

    OperatorRig(Duration lease) {
        this.timing = Timing.ofLease(lease);
    }

    @Override
    public void close() {
        time.close();
    }

    /** Candidates of that name. */
    Elections opened(String name) {
        return opened(name, 0);
    }

    Elections opened(String name, int priority) {
        return Elections.over(connected())
                .name(name)
                .priority(priority)
                .timing(timing)
                .timeline(time)
                .quiet()
                .open();
    }

    /** The first of them leads. */
    void standInOrder(String name, Elections... all) throws InterruptedException {
        for (int i = 0; i < all.length; i++) {
            int count = i + 1;
            all[i].election(name).campaign(TASK);
            until(() -> enlisted(name) == count && !leader(name).isEmpty());
        }
    }

    /** As a record of another time or hand. */
    void plant(String name, LeaderRecord record) {
        connected()
                .swap(new ElectionName(name), Revision.ABSENT, record.written("n-" + name))
                .toCompletableFuture()
                .join();
    }

    int enlisted(String name) {
        ElectionName election = new ElectionName(name);
        return connected()
                .candidates(Set.of(election))
                .toCompletableFuture()
                .join()
                .getOrDefault(election, List.of())
                .size();
    }

    /** Its name; empty where nobody leads. */
    String leader(String name) {
        return record(name).leader().map(one -> one.name()).orElse("");
    }

    LeaderRecord record(String name) {
        ElectionName election = new ElectionName(name);
        Reading reading =
                connected().read(Set.of(election)).toCompletableFuture().join().get(election);
        return reading instanceof Reading.Found found ? found.record().record() : LeaderRecord.EMPTY;
    }

    Coordinator connected() {
        return MemoryCoordinator.connect(store, time, timing.requestTimeout());
    }

    Sink sink() {
        return new MemorySink(ledger, time, Duration.ofSeconds(5));
    }

    /** Runs a verb at the store. */
    CommandRun run(String... args) {
        return run(Map.of(), args);
    }

    /** The same, with an environment. */
    CommandRun run(Map<String, String> variables, String... args) {
        String[] all =
                Stream.concat(Stream.of("--at", "memory:"), Stream.of(args)).toArray(String[]::new);
        World world = new World(time, List.of(new Stores()), List.of(new Ledgers()));
        return CommandRun.of(new Root(), new Table(), variables, world, all);
    }

    static void until(BooleanSupplier come) throws InterruptedException {
        var never = new CountDownLatch(1);
        for (int i = 0; i < 1_500 && !come.getAsBoolean(); i++) {
            assertThat(never.await(20, TimeUnit.MILLISECONDS)).isFalse();
        }
        assertThat(come.getAsBoolean()).isTrue();
    }

    /** As a task does that heeds no interrupt. */
    static void awaitUninterrupted(CountDownLatch latch) {
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

    @Command(name = "incumbent")
    private static final class Root {}

    private static final class Table implements VerbTable {
        @Override
        public List<String> names() {
            return VERBS.keySet().stream().sorted().toList();
        }

        @Override
        public Object make(String name) {
            return requireNonNull(VERBS.get(name)).get();
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

    private final class Ledgers implements SinkProvider {
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
