package dev.incumbent.junit;

import dev.incumbent.LeaderTask;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.memory.MemorySink;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.SinkId;
import dev.incumbent.model.Timing;
import dev.incumbent.simulation.Agenda;
import dev.incumbent.simulation.Draws;
import dev.incumbent.simulation.DriftingClock;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** The world: an agenda, a coordinator in memory, machines, stores, and what was found out. The test's thread runs it, and the task whose turn it is, never both. */
final class VirtualWorld implements World {
    static final ElectionName ELECTION = new ElectionName("election");
    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final Duration REAL_TIME_LIMIT = Duration.ofSeconds(20);
    private static final int LEASES_TO_LEAD = 10;
    private static final int LATENCY = 0;
    private static final int CLOCK = 1;
    /** Beside those of faults (0) and of machines (from 1 on). */
    private static final long OWN_DRAWS = -1;

    private final long seed;
    private final Agenda agenda = new Agenda();
    private final Story story = new Story(agenda);
    private final Draws draws;
    private final DriftingClock storeClock;
    private final MemoryStore coordinator;
    private final long latencyNanos;
    private final Map<String, Machine> machines = new LinkedHashMap<>();
    private final List<Sink> sinks = new ArrayList<>();
    private final List<Invariant> invariants = new ArrayList<>();
    private final List<String> stale = new ArrayList<>();
    private final Clock clock = new WallClock(ZoneOffset.UTC);
    private Timing timing = Timing.ofLease(LEASE);
    private Duration realTimeLimit = REAL_TIME_LIMIT;
    private Optional<DrawnFaults> faults = Optional.empty();
    private Optional<VirtualTask> running = Optional.empty();
    private Optional<Error> failure = Optional.empty();
    private volatile Thread owner = Thread.currentThread();
    private boolean told;
    private boolean closed;

    /** What the test says holds always. */
    private record Invariant(String sentence, BooleanSupplier holds) {}

    VirtualWorld(long seed) {
        this.seed = seed;
        this.draws = new Draws(Draws.mix(seed, OWN_DRAWS), 2);
        this.storeClock =
                new DriftingClock(agenda, draws.below(CLOCK, Duration.ofHours(1).toNanos()), 1);
        this.coordinator = new MemoryStore(storeClock);
        this.latencyNanos = Duration.ofMillis(draws.between(LATENCY, 1, 20)).toNanos();
    }

    Agenda agenda() {
        return agenda;
    }

    Timing timing() {
        return timing;
    }

    MemoryStore coordinator() {
        return coordinator;
    }

    List<Sink> sinks() {
        return sinks;
    }

    List<Machine> machines() {
        return List.copyOf(machines.values());
    }

    long latencyNanos() {
        return latencyNanos;
    }

    Duration realTimeLimit() {
        return realTimeLimit;
    }

    @Override
    public long seed() {
        return seed;
    }

    @Override
    public void lease(Duration length) {
        requireNoCandidates("the length of a lease is told");
        timing = Timing.ofLease(length);
    }

    @Override
    public void realTimeLimit(Duration limit) {
        requireNoCandidates("the limit of real time is told");
        realTimeLimit = limit;
    }

    @Override
    public <T> VirtualStore<T> store(String name, T object) {
        requireTest("a store is added");
        return new RemoteStore<>(this, name, object, Optional.empty());
    }

    @Override
    public <T> VirtualStore<T> fencedStore(String name, T object) {
        requireNoCandidates("a fenced store is added");
        var fence = new dev.incumbent.fence.memory.MemoryStore(new SinkId(name));
        sinks.add(new MemorySink(fence, storeClock, timing.lease()));
        return new RemoteStore<>(this, name, object, Optional.of(fence));
    }

    @Override
    public void guarding(Sink sink) {
        requireNoCandidates("a sink is added");
        sinks.add(sink);
    }

    @Override
    public void candidate(String name, LeaderTask task) {
        requireTest("a candidate is added");
        if (machines.containsKey(name)) {
            throw new IllegalStateException("there is a candidate " + name + " already");
        }
        Machine machine = new Machine(this, name, task, Machine.drawsOf(seed, machines.size()));
        machines.put(name, machine);
        agenda.in(0, machine::start);
    }

    @Override
    public void runFor(Duration time) {
        requireTest("time passes");
        long end = agenda.now() + time.toNanos();
        agenda.at(end, () -> {});
        runUntil(end, () -> false);
    }

    @Override
    public String awaitLeader() {
        requireTest("a leader is waited for");
        long patience = LEASES_TO_LEAD * timing.lease().toNanos();
        runUntil(agenda.now() + patience, () -> leading().isPresent());
        return leader().orElseThrow(
                        () -> new AssertionError("nobody leads after " + LEASES_TO_LEAD + " leases of waiting"));
    }

    private void runUntil(long end, BooleanSupplier enough) {
        rethrowWhatFailed();
        while (failure.isEmpty() && !enough.getAsBoolean() && agenda.next(end)) {
            for (int i = 0; i < invariants.size() && failure.isEmpty(); i++) {
                Invariant invariant = invariants.get(i);
                if (!invariant.holds().getAsBoolean()) {
                    failed(new AssertionError("this does not always hold: " + invariant.sentence()));
                }
            }
        }
        rethrowWhatFailed();
    }

    @Override
    public Optional<String> leader() {
        return leading().map(Machine::name);
    }

    Optional<Machine> leading() {
        return machines.values().stream()
                .flatMap(machine -> machine.leading().stream())
                .max(Comparator.comparingLong(task -> task.term().number()))
                .map(task -> task.process().machine());
    }

    @Override
    public Duration elapsed() {
        return Duration.ofNanos(agenda.now());
    }

    @Override
    public void sleep(Duration time) throws InterruptedException {
        caller().orElseThrow(() -> new IllegalStateException("a task sleeps; the test lets time pass by runFor"))
                .sleep(time);
    }

    @Override
    public Clock clock() {
        return clock;
    }

    @Override
    public void pause(String candidate, Duration time) {
        struck(candidate).pause(time.toNanos(), "");
    }

    @Override
    public void pauseLeader(Duration time) {
        struckLeader().pause(time.toNanos(), "");
    }

    @Override
    public void pauseLeaderAfterItsNextCheck(Duration time) {
        struckLeader().strikeNext(new Machine.Strike(time.toNanos(), true, false));
    }

    @Override
    public void kill(String candidate) {
        struck(candidate).kill();
    }

    @Override
    public void restart(String candidate) {
        struck(candidate).start();
    }

    @Override
    public void partition(String candidate, Duration time) {
        struck(candidate).cutFromCoordinator(time.toNanos());
    }

    @Override
    public void isolate(String candidate, Duration time) {
        partition(candidate, time);
        struck(candidate).cutFromStores(time.toNanos());
    }

    @Override
    public void stepClock(String candidate, Duration by) {
        struck(candidate).stepWall(by);
    }

    private Machine struck(String candidate) {
        requireTest("a candidate is struck");
        return Optional.ofNullable(machines.get(candidate))
                .orElseThrow(() -> new IllegalStateException(
                        "there is no candidate " + candidate + ", only " + machines.keySet()));
    }

    private Machine struckLeader() {
        requireTest("a leader is struck");
        return leading()
                .orElseThrow(
                        () -> new IllegalStateException("nobody leads after " + elapsed() + ": awaitLeader() first"));
    }

    @Override
    public void injectFaults(FaultKind... kinds) {
        requireTest("faults are injected");
        if (machines.isEmpty()) {
            throw new IllegalStateException("faults are injected once there are candidates");
        }
        faults.ifPresent(DrawnFaults::end);
        DrawnFaults next = new DrawnFaults(this, seed, List.of(kinds.length == 0 ? FaultKind.values() : kinds));
        faults = Optional.of(next);
        next.begin();
    }

    @Override
    public void heal() {
        requireTest("all is healed");
        story.add("all faults end");
        faults.ifPresent(DrawnFaults::end);
        machines.values().forEach(Machine::heal);
    }

    @Override
    public void always(String sentence, BooleanSupplier holds) {
        requireTest("an invariant is added");
        invariants.add(new Invariant(sentence, holds));
    }

    @Override
    public void assertNoStaleWrites() {
        if (!stale.isEmpty()) {
            String more = stale.size() > 1 ? ", and " + (stale.size() - 1) + " more" : "";
            throw new AssertionError("a stale write: " + stale.get(0) + more);
        }
    }

    void acceptedStale(String what) {
        stale.add(what);
        story.add("STALE: " + what);
        story.mark();
    }

    @Override
    public List<String> story() {
        return story.lines();
    }

    Story storyTeller() {
        return story;
    }

    /** The story in a few lines, and how to play it again. */
    String digest() {
        return "The story of seed 0x%x:%s%nPlay it again: Worlds.replay(0x%xL, scenario), or @IncumbentTest(seed = 0x%xL)"
                .formatted(seed, story.digest(), seed, seed);
    }

    /** The task whose thread calls; empty where the test's thread does. */
    Optional<VirtualTask> caller() {
        Optional<VirtualTask> mine = running.filter(VirtualTask::isMine);
        if (mine.isEmpty()) {
            requireItsThread();
        }
        return mine;
    }

    /** The task whose turn it is. */
    Optional<VirtualTask> running() {
        return running;
    }

    <R> R duringTurnOf(VirtualTask task, Supplier<R> turn) {
        running = Optional.of(task);
        try {
            return turn.get();
        } finally {
            running = Optional.empty();
        }
    }

    /** The first failure counts: the world stands still from then on. */
    void failed(Error by) {
        if (failure.isEmpty()) {
            failure = Optional.of(by);
        }
    }

    boolean hasFailed() {
        return failure.isPresent();
    }

    private void rethrowWhatFailed() {
        if (failure.isPresent()) {
            told = true;
            throw failure.get();
        }
    }

    /** At the end: what no call of the test has thrown yet. */
    void rethrowWhatIsUntold() {
        if (!told) {
            rethrowWhatFailed();
        }
    }

    /** Ends all processes, and the threads of their tasks. */
    void close() {
        if (!closed) {
            closed = true;
            faults.ifPresent(DrawnFaults::end);
            boolean interrupted = Thread.interrupted();
            machines.values().forEach(Machine::end);
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void requireNoCandidates(String what) {
        requireTest(what);
        if (!machines.isEmpty()) {
            throw new IllegalStateException(what + " before the first candidate is added");
        }
    }

    /** The verbs of the test: its thread has the turn, and the world is not over. */
    private void requireTest(String what) {
        if (running.isPresent()) {
            throw new IllegalStateException(what + " by the test, not by a task or another thread");
        }
        if (closed) {
            throw new IllegalStateException(what + ", and this world is over");
        }
        owner = Thread.currentThread();
    }

    /** A thread that this world does not run would make another story of the same seed. */
    void requireItsThread() {
        if (Thread.currentThread() != owner) {
            throw new IllegalStateException(
                    "the thread " + Thread.currentThread().getName()
                            + " is neither the test's nor that of the task whose turn it is: a task starts no threads");
        }
    }

    /** The wall clock of whoever asks. */
    private final class WallClock extends Clock {
        private final ZoneId zone;

        WallClock(ZoneId zone) {
            this.zone = zone;
        }

        @Override
        public Instant instant() {
            DriftingClock shown = caller().map(task -> task.process().clock()).orElse(storeClock);
            return Instant.ofEpochMilli(shown.wallMillis());
        }

        @Override
        public ZoneId getZone() {
            return zone;
        }

        @Override
        public Clock withZone(ZoneId other) {
            return new WallClock(other);
        }
    }
}
