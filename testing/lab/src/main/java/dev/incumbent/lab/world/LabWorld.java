package dev.incumbent.lab.world;

import dev.incumbent.simulation.Agenda;
import dev.incumbent.simulation.Draws;
import dev.incumbent.simulation.DriftingClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * One world: members of one protocol, a network, a store, a sink, and faults that come at their times. One thread runs it, event after event; the same seed and faults, the same history.
 * Times are true times in nanoseconds since the world began.
 */
public final class LabWorld {
    /** Before this nothing is measured and nothing fails: all have started, and somebody leads. */
    public static final Duration WARM_UP = Duration.ofSeconds(20);

    private static final int LINKS = 0;
    private static final int CLOCKS = 1;
    private static final int DICE = 2;
    private static final long RATE_MILLIONTHS = 500;
    private static final long SLOT_NANOS = Duration.ofSeconds(1).toNanos();
    private static final int NOBODY = -1;

    private final Agenda agenda = new Agenda();
    private final Draws draws;
    private final LabNetwork network;
    private final List<LabMember> members = new ArrayList<>();
    private final BeliefMeter beliefs;
    private final LeaderLosses losses = new LeaderLosses();
    private final SharedSink sink = new SharedSink();
    private final DriftingClock storeClock;
    private final FaultInjector faults = new FaultInjector(this);
    private final BitSet busySlots = new BitSet();
    private LeaderPace pace = LeaderPace.USUAL;
    private RunWatcher watcher = RunWatcher.NONE;
    private Runnable storeForgets = () -> {};
    private long reigns;
    private long begun;
    private long acknowledged;
    private int lastLeader = NOBODY;
    private Optional<Long> nextElectorIsDownFor = Optional.empty();

    public LabWorld(long seed, int size) {
        this.draws = new Draws(seed, 3);
        this.network = new LabNetwork(agenda, draws, LINKS, size + 2);
        this.beliefs = new BeliefMeter(size);
        this.storeClock = new DriftingClock(agenda, 5_000_000_000L, 1);
        for (int i = 0; i < size; i++) {
            double rate = 1 + draws.between(CLOCKS, -RATE_MILLIONTHS, RATE_MILLIONTHS) / 1e6;
            members.add(new LabMember(this, i, new DriftingClock(agenda, draws.below(CLOCKS, 1_000_000_000L), rate)));
        }
    }

    /** How its leaders work; before it is started. */
    public void pacedAt(LeaderPace next) {
        pace = next;
    }

    LeaderPace pace() {
        return pace;
    }

    /** Whom it tells what happens; before it is started. */
    public void watchedBy(RunWatcher by) {
        watcher = by;
        network.watchedBy(by);
    }

    RunWatcher watcher() {
        return watcher;
    }

    /** Gives each member its contender, and starts them all. */
    public void start(Function<LabMember, Contender> contenders) {
        members.forEach(member -> member.plays(contenders.apply(member)));
        members.forEach(member -> agenda.in(draws.below(CLOCKS, SLOT_NANOS / 2), member::start));
    }

    /** Runs the world for so long after its warm-up, with those faults, and tells what was measured. */
    public Measured run(List<LabFault> plan, Duration measured) {
        long from = WARM_UP.toNanos();
        long horizon = from + measured.toNanos();
        agenda.at(from, this::countAnew);
        plan.forEach(fault -> agenda.at(from + fault.at().toNanos(), () -> faults.happen(fault)));
        runUntil(horizon);
        beliefs.count(horizon);
        int slots = (int) (measured.toNanos() / SLOT_NANOS);
        return new Measured(
                measured.toNanos(),
                beliefs.several(),
                beliefs.none(),
                network.heartbeats(),
                network.elections(),
                begun,
                losses.times(),
                new Writes(acknowledged, sink.lost(), sink.stale(), sink.lostThoughFenced(), sink.staleThoughFenced()),
                busySlots.get(0, slots).cardinality() / (double) slots);
    }

    private void runUntil(long time) {
        while (agenda.next(time)) {
            // each call lets one thing happen
        }
    }

    private void countAnew() {
        beliefs.countAnew(agenda.now());
        network.countAnew();
        sink.countAnew();
        begun = 0;
        acknowledged = 0;
    }

    public Agenda agenda() {
        return agenda;
    }

    public long now() {
        return agenda.now();
    }

    public LabNetwork network() {
        return network;
    }

    public SharedSink sink() {
        return sink;
    }

    public DriftingClock storeClock() {
        return storeClock;
    }

    public List<LabMember> members() {
        return members;
    }

    /** The member that follows that one, and the first after the last. */
    public LabMember after(LabMember member) {
        return members.get((member.index() + 1) % members.size());
    }

    /** Where the store is on the network. */
    public int storeEndpoint() {
        return members.size();
    }

    /** Where the sink is on the network. */
    public int sinkEndpoint() {
        return members.size() + 1;
    }

    /** Any number. */
    public long dice() {
        return draws.next(DICE);
    }

    /** From 0 to one less than that. */
    public long below(long bound) {
        return draws.below(DICE, bound);
    }

    /** What happens where the store fails over and has forgotten what was last written to it. */
    public void whenTheStoreForgets(Runnable what) {
        storeForgets = what;
    }

    void storeForgets() {
        storeForgets.run();
    }

    long nextReign() {
        return ++reigns;
    }

    void acknowledged() {
        acknowledged++;
        if (now() >= WARM_UP.toNanos()) {
            busySlots.set((int) ((now() - WARM_UP.toNanos()) / SLOT_NANOS));
        }
    }

    void began(LabMember member) {
        begun++;
        watcher.mark(member.id() + " begins to lead");
        lastLeader = member.index();
        losses.began(member.index(), now());
    }

    void suspects(LabMember member) {
        losses.suspected(member.index(), now());
        watcher.mark(member.id() + " takes the leader for lost");
        nextElectorIsDownFor.ifPresent(nanos -> {
            nextElectorIsDownFor = Optional.empty();
            agenda.in(Duration.ofMillis(20).toNanos(), () -> faults.crash(member, nanos));
        });
    }

    void nextElectorIsDownFor(long nanos) {
        nextElectorIsDownFor = Optional.of(nanos);
    }

    void believes(LabMember member, long until) {
        beliefs.believes(member.index(), now(), until);
        watcher.believes(member.index(), until);
    }

    /** The one that leads; of several, and where nobody does, the one that began last. */
    LabMember leader() {
        LabMember last = members.get(lastLeader == NOBODY ? members.size() - 1 : lastLeader);
        return members.stream()
                .filter(member -> beliefs.isBelieving(member.index(), now()))
                .filter(member -> beliefs.believers(now()) == 1)
                .findFirst()
                .orElse(last);
    }

    /** What struck that member is over. */
    void recovered(LabMember member) {
        if (beliefs.isBelieving(member.index(), now())) {
            losses.recovered(member.index());
        }
    }

    /** That member is struck: if it alone leads, its group has lost its leader. */
    void struck(LabMember member, boolean detectable) {
        if (beliefs.believers(now()) == 1 && beliefs.isBelieving(member.index(), now())) {
            losses.lost(member.index(), now(), detectable);
        }
    }
}
