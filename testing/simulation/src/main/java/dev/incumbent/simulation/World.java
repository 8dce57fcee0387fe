package dev.incumbent.simulation;

import dev.incumbent.beats.Rhythm;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.Watch;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.coordinator.memory.MemoryCoordinator;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Role;
import dev.incumbent.model.SinkId;
import dev.incumbent.model.Term;
import dev.incumbent.model.Timing;
import dev.incumbent.protocol.Effect;
import dev.incumbent.protocol.ElectionState;
import dev.incumbent.protocol.Event;
import dev.incumbent.protocol.Notice;
import dev.incumbent.protocol.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * One world: machines with drifting clocks, one store, some sinks, links that fail, and whoever inspects it after every event.
 *
 * <p>First the safety phase, with any faults of the plan; then they cease, a part of the machines is left broken for ever, and the others must converge. Same seed, plan and canary, same history.
 */
final class World {
    static final int SHARED_STREAMS = 4;
    static final int OPERATOR_STREAM = 1;
    static final int CLOCK_STREAM = 2;
    static final int CORE_STREAM = 3;
    private static final double WITHIN_DRIFT = 0.0009;
    private static final int LIVENESS_LEASES = 50;
    private static final int STREAMS_PER_NODE = 8;

    private final Profile profile;
    private final Canary canary;
    private final Consumer<String> trace;
    private final Agenda agenda = new Agenda();
    private final Draws draws;
    private final Timing timing;
    private final MemoryStore store;
    private final Coordinator seer;
    private final DriftingClock storeClock;
    private final List<ElectionName> elections;
    private final Inspectors inspectors = new Inspectors();
    private final Map<SinkId, SinkModel> sinks = new TreeMap<>();
    private final List<Node> nodes = new ArrayList<>();
    private final List<Belief> beliefs = new ArrayList<>();
    private final List<Begun> begun = new ArrayList<>();
    private final Map<ElectionName, ObservedRecord> records = new LinkedHashMap<>();
    private final List<Watch> watches = new ArrayList<>();
    private final Map<Milestone, long[]> reached = new EnumMap<>(Milestone.class);
    private final PeerNetwork peers;
    private final Missing missing = new Missing(this);
    private final PowerSwitches power;
    private final Faults faults;
    private final SimulatedOperator operator;
    private boolean restoring;
    private boolean beliefsMayHaveChanged = true;
    private long believedUntil;
    private Optional<Violation> violation = Optional.empty();
    private long hash = 1;
    private long events;

    World(Profile profile, List<Fault> plan, Canary canary, Consumer<String> trace) {
        this(profile, plan, canary, trace, Optional.empty());
    }

    /** One whose processes beat in that rhythm, if they hear each other, or in one that suits the lease. */
    World(Profile profile, List<Fault> plan, Canary canary, Consumer<String> trace, Optional<Rhythm> rhythm) {
        this.profile = profile;
        this.canary = canary;
        this.trace = trace;
        this.draws = new Draws(profile.seed(), SHARED_STREAMS + (profile.nodes() + 1) * STREAMS_PER_NODE);
        this.timing = canary.timing(Timing.ofLease(Duration.ofNanos(profile.leaseNanos())));
        this.storeClock = new DriftingClock(agenda, 5_000_000_000L, rate());
        this.store = new MemoryStore(storeClock);
        this.seer = MemoryCoordinator.connect(store, storeClock, Duration.ofHours(1));
        this.elections = draws.oneIn(CORE_STREAM, 4)
                ? List.of(new ElectionName("job"), new ElectionName("other"))
                : List.of(new ElectionName("job"));
        Invariants.all(this).forEach(inspectors::add);
        for (int i = 0; i < profile.sinks(); i++) {
            SinkId id = new SinkId("sink-" + i);
            sinks.put(id, canary.sink(id, inspectors));
        }
        this.operator = new SimulatedOperator(this);
        this.peers = new PeerNetwork(this, rhythm);
        this.power = new PowerSwitches(this);
        watch();
        for (int i = 0; i < profile.nodes(); i++) {
            nodes.add(new Node(this, i, new DriftingClock(agenda, draws.below(CLOCK_STREAM, 1_000_000_000L), rate())));
        }
        this.faults = new Faults(this);
        nodes.forEach(node -> agenda.in(draws.below(CLOCK_STREAM, profile.leaseNanos()), node::start));
        nodes.stream()
                .filter(node -> draws.below(CLOCK_STREAM, 4) > 0)
                .forEach(node -> node.clock().withBootClock());
        sample();
        suffer(plan.stream().sorted(Comparator.comparingLong(Fault::atNanos)).iterator());
    }

    /** Runs both phases, up to the first violation. */
    Optional<Violation> run() {
        runUntil(profile.horizonNanos());
        if (violation.isEmpty()) {
            faults.cease();
            runUntil(profile.horizonNanos() + LIVENESS_LEASES * profile.leaseNanos());
        }
        if (violation.isEmpty()) {
            inspectors.afterFaultsCeased();
        }
        return violation;
    }

    /** One fault after another, so that the agenda holds one at a time. */
    private void suffer(Iterator<Fault> plan) {
        if (plan.hasNext()) {
            Fault next = plan.next();
            agenda.at(next.atNanos(), () -> {
                suffer(plan);
                faults.happen(next);
            });
        }
    }

    private void sample() {
        inspectors.sampled();
        agenda.in(profile.leaseNanos() / 3, this::sample);
    }

    /** The candidates of an election, as the store has them. */
    List<Enlisted> line(ElectionName election) {
        return seer.candidates(Set.of(election)).toCompletableFuture().join().getOrDefault(election, List.of());
    }

    /** What a read of that election finds at this instant. */
    Optional<Reading> reading(ElectionName election) {
        return Optional.ofNullable(
                seer.read(Set.of(election)).toCompletableFuture().join().get(election));
    }

    DriftingClock storeClock() {
        return storeClock;
    }

    private void runUntil(long horizon) {
        while (violation.isEmpty() && agenda.next(horizon)) {
            events++;
            if (beliefsMayHaveChanged || now() >= believedUntil) {
                beliefsMayHaveChanged = false;
                believedUntil = Long.MAX_VALUE;
                lookWhoBelieves();
                inspectors.believed(beliefs);
            }
        }
    }

    /** Whose guards hold at this instant. */
    private void lookWhoBelieves() {
        beliefs.clear();
        for (int i = 0; i < nodes.size(); i++) {
            List<Player> players = nodes.get(i).players();
            boolean mayHaveChanged = nodes.get(i).guardsMayHaveChanged();
            for (int j = 0; j < players.size(); j++) {
                Player player = players.get(j);
                long term = player.believedAfter(mayHaveChanged);
                if (term != Player.NOTHING) {
                    beliefs.add(player.belief(record(player.election())));
                    believedUntil = Math.min(believedUntil, player.believesUntil());
                }
            }
        }
    }

    /** Something happens that may change what a guard answers, what a record says of who leads, or whether anybody may. */
    void guardsMayChange() {
        beliefsMayHaveChanged = true;
    }

    /** The first violation stands. Told and not thrown: much of what happens does so inside callbacks that catch. */
    void violated(String invariant, String how) {
        if (violation.isEmpty()) {
            violation = Optional.of(new Violation(invariant, now(), how));
        }
    }

    private double rate() {
        long millionths = draws.between(CLOCK_STREAM, -1_000, 1_000);
        if (millionths > 500) {
            reach(Milestone.CLOCK_FAST);
        } else if (millionths < -500) {
            reach(Milestone.CLOCK_SLOW);
        }
        return 1 + millionths / 1_000.0 * WITHIN_DRIFT;
    }

    double anotherRate() {
        return rate();
    }

    private void watch() {
        for (ElectionName election : elections) {
            records.put(election, ObservedRecord.ABSENT);
            watches.add(seer.watch(election, new Seer(election)));
        }
    }

    Profile profile() {
        return profile;
    }

    Agenda agenda() {
        return agenda;
    }

    Draws draws() {
        return draws;
    }

    Timing timing() {
        return timing;
    }

    MemoryStore store() {
        return store;
    }

    List<ElectionName> elections() {
        return elections;
    }

    List<Node> nodes() {
        return nodes;
    }

    List<Begun> begun() {
        return begun;
    }

    List<SinkModel> sinks() {
        return List.copyOf(sinks.values());
    }

    Inspectors inspectors() {
        return inspectors;
    }

    SimulatedOperator operator() {
        return operator;
    }

    PeerNetwork peers() {
        return peers;
    }

    PowerSwitches power() {
        return power;
    }

    Missing missing() {
        return missing;
    }

    Faults faults() {
        return faults;
    }

    long now() {
        return agenda.now();
    }

    long hash() {
        return hash;
    }

    long events() {
        return events;
    }

    Map<Milestone, Long> milestones() {
        Map<Milestone, Long> milestones = new EnumMap<>(Milestone.class);
        reached.forEach((milestone, count) -> milestones.put(milestone, count[0]));
        return milestones;
    }

    SinkModel sink(SinkId id) {
        return Optional.ofNullable(sinks.get(id)).orElseThrow();
    }

    /** The record as it really is. */
    ObservedRecord record(ElectionName election) {
        return records.getOrDefault(election, ObservedRecord.ABSENT);
    }

    boolean storeShows(ElectionName election, String nonce) {
        return record(election).record().nonce().equals(nonce);
    }

    void reach(Milestone milestone) {
        reached.computeIfAbsent(milestone, m -> new long[1])[0]++;
    }

    Canary canary() {
        return canary;
    }

    Coordinator broken(Coordinator coordinator) {
        return canary.coordinator(coordinator);
    }

    /** A stage that the library has handed out: once faults have ceased it completes, unless its process is gone. */
    void promised(SimulatedProcess by, String what, CompletionStage<?> stage) {
        inspectors.promised(by, what, stage);
    }

    void stepped(Player player, ElectionState before, Event event, Step<ElectionState, Effect> step) {
        boolean claimed = before.role() == Role.CANDIDATE && step.state().role() != Role.CANDIDATE;
        if (claimed && event instanceof Event.RecordObserved && isUncertain(before)) {
            reach(Milestone.UNCERTAIN_CLAIM_WON);
        }
        player.stepped(step.state());
        if (event instanceof Event.LeaseRenewed || event instanceof Event.LeaseGranted) {
            player.renewed();
        }
        inspectors.stepped(player, before, event, step);
        for (Effect effect : step.effects()) {
            if (effect instanceof Effect.BeginTerm begin) {
                player.begins(begin.term());
            } else if (effect instanceof Effect.EndTerm end) {
                player.ends(end.reason());
            } else if (effect instanceof Effect.Tell tell) {
                told(tell.notice());
            }
        }
        long what = 31L * event.getClass().getName().hashCode()
                + step.state().role().name().hashCode();
        hash = Draws.mix(hash, 31 * now() + 17 * what + player.node().index());
        if (step.effects().size() > 50) {
            violated("NoCandidacyIsStuck", "one step has " + step.effects().size() + " effects");
        }
        if (isTraced()) {
            trace(() -> player.election() + " n" + player.node().index() + " " + event + " -> "
                    + step.state().role() + " " + step.effects());
        }
    }

    private static boolean isUncertain(ElectionState state) {
        return state.attempt().filter(a -> a.uncertainAtNanos() != Step.NEVER).isPresent();
    }

    private boolean isTraced() {
        return trace != Worlds.UNTRACED;
    }

    /** Tells a line of the trace, which is only made where somebody hears it. */
    void trace(Supplier<String> line) {
        if (isTraced()) {
            trace.accept("%12.6f s  %s".formatted(now() / 1e9, line.get()));
        }
    }

    Begun begin(Player player, Term term) {
        Begun next = new Begun(
                begun.size(), term.election(), term.number(), player.candidate().id(), now());
        begun.add(next);
        noteTakeover(player);
        inspectors.begun(next);
        return next;
    }

    /** Another's guard has refused for a moment only when this one begins: nothing but the margin stood between them. */
    private void noteTakeover(Player taking) {
        long margin = profile.leaseNanos() / 20;
        boolean close = nodes.stream()
                .flatMap(node -> node.players().stream())
                .filter(other -> other != taking && other.election().equals(taking.election()))
                .anyMatch(other -> other.ranOutWithin(margin));
        if (close) {
            reach(Milestone.TAKEOVER_WITHIN_MARGIN);
        }
    }

    void end(Player player, Begun which, EndReason reason) {
        if (reason == EndReason.TRANSFERRED) {
            reach(Milestone.GRACEFUL_HANDOVER);
        } else if (reason == EndReason.UNHEALTHY) {
            reach(Milestone.UNHEALTHY_LEADER);
        } else if (reason == EndReason.LEASE_LOST && faults.isCut(player.node())) {
            reach(Milestone.CUT_OFF_LEADER_STEPPED_DOWN);
        }
        inspectors.ended(which, reason);
    }

    /** A write arrives at a sink. */
    void deliver(SinkModel sink, SimulatedTask writer, Player player) {
        Term term = writer.term();
        SinkModel.Admission admission =
                sink.admit(term.election(), term.token(), writer.begun().index());
        if (admission == SinkModel.Admission.STALE) {
            reach(Milestone.STALE_WRITE_REFUSED);
            player.node().fromSinks().carry(() -> player.node().clock().whenAwake(() -> refused(player, writer)));
        } else if (admission == SinkModel.Admission.NOT_RAISED) {
            reach(Milestone.WRITE_NOT_RAISED_REFUSED);
        }
    }

    private static void refused(Player player, SimulatedTask writer) {
        if (writer.runs()) {
            player.post(new Event.TokenRefused(writer.term().number()));
        }
    }

    void told(Notice notice) {
        Milestone.of(notice).ifPresent(this::reach);
    }

    private void notePreemption(ObservedRecord before) {
        if (profile.isHeard() && before.leaseAlive()) {
            CandidateId leader = before.record().leader().orElseThrow().id();
            Milestone how = missing.stoodStill(leader) ? Milestone.PREEMPTED_AND_STILL : Milestone.PREEMPTED_BY_MISTAKE;
            reach(missing.isGone(leader) ? Milestone.PREEMPTED_AND_GONE : how);
        }
    }

    /** The store goes back to what it was; whoever inspects hears of that, and not of a change. */
    void restore(MemoryStore.Backup backup) {
        restoring = true;
        try {
            store.restore(backup);
        } finally {
            restoring = false;
        }
        inspectors.restored();
    }

    /** Sees every change of a record as it happens. */
    private final class Seer implements Watcher {
        private final ElectionName election;

        Seer(ElectionName election) {
            this.election = election;
        }

        @Override
        public void changed(ObservedRecord after) {
            ObservedRecord before = record(election);
            records.put(election, after);
            guardsMayChange();
            trace(() -> election + " record " + after);
            boolean claimed = after.record().leader().isPresent()
                    && after.record().term() > before.record().term();
            if (claimed && before.record().leader().isPresent()) {
                notePreemption(before);
                reach(before.leaseAlive() ? Milestone.PREEMPTED : Milestone.TAKEOVER_AFTER_DEATH);
            }
            if (!restoring) {
                inspectors.recordChanged(election, before, after);
            }
        }

        @Override
        public void gap() {}

        @Override
        public void currentAsOf(long sentAtNanos) {}
    }
}
