package dev.incumbent.simulation;

import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.CandidateRank;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Extras;
import dev.incumbent.model.Role;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One machine of the world: a clock, links, and one process after another on it, each a new incarnation. */
final class Node {
    private final World world;
    private final int index;
    private final DriftingClock clock;
    private final Link toStore;
    private final Link fromStore;
    private final Link toSinks;
    private final Link fromSinks;
    private final List<SimulatedProcess> processes = new ArrayList<>();
    private final Map<Calling, Failing> failing = new EnumMap<>(Calling.class);
    private List<Player> players = List.of();
    private boolean guardsMayHaveChanged;
    private Optional<SimulatedProcess> process = Optional.empty();
    private int incarnation;
    private int boots = 1;
    private Candidate candidate;
    private int effectsUntilCrash = -1;
    private CandidateRank rank = CandidateRank.PLAIN;
    private long crashLength;
    private boolean crashesWhileFencing;
    private boolean stubbornNext;
    private boolean stubbornForEver;
    private boolean unwellAtTheNextClaim;
    private boolean noThreadNext;
    private long gapNext;
    private long deafUntil;
    private long readsNoBeatsUntil;
    private long tasksFailUntil;
    private long starvedUntil;
    private long throwsUntil;
    private boolean refusesWrites;
    private long listenersThrowUntil;
    private long userCodeBlockedUntil;
    private long deafToASinkUntil;
    private int sinkNotHeard;
    private Optional<Preemption> preemption = Optional.empty();

    /** How one kind of call fails, and until when. */
    private record Failing(Calling.Fails how, long until) {}

    /** The streams of randomness of one node. */
    enum Stream {
        TO_STORE(0),
        FROM_STORE(1),
        TO_SINKS(2),
        FROM_SINKS(3),
        TASK(4);

        private final int number;

        Stream(int number) {
            this.number = number;
        }
    }

    Node(World world, int index, DriftingClock clock) {
        this.world = world;
        this.index = index;
        this.clock = clock;
        this.toStore = link(Stream.TO_STORE);
        this.fromStore = link(Stream.FROM_STORE);
        this.toSinks = link(Stream.TO_SINKS);
        this.fromSinks = link(Stream.FROM_SINKS);
        this.candidate = named();
    }

    private Candidate named() {
        String name = "n" + index;
        CandidateId id = CandidateId.of(name, "host" + index, incarnation, "r" + incarnation);
        Extras extras = world.profile().isHeard()
                ? new Extras(Map.of("beats", PeerNetwork.addressOf(this)), Map.of())
                : Extras.NONE;
        return new Candidate(id, name, "", extras).withRank(rank);
    }

    private Link link(Stream stream) {
        return new Link(
                world.agenda(), world.draws(), stream(stream), world.profile().latencyNanos());
    }

    int stream(Stream stream) {
        return World.SHARED_STREAMS + index * Stream.values().length + stream.number;
    }

    int index() {
        return index;
    }

    /** Does a process run on it that has not been closed? */
    boolean isUp() {
        return process.isPresent();
    }

    DriftingClock clock() {
        return clock;
    }

    /** Whoever runs on it, or ran last; before the first, somebody whom nobody knows. */
    Candidate candidate() {
        return candidate;
    }

    Link toSinks() {
        return toSinks;
    }

    /** Then its task gives up: a leader whose writes do not arrive leads for nothing. */
    boolean isCutFromSinksForEver() {
        return toSinks.isCutForEver();
    }

    /** In a rolling deployment the first process on a machine brings one sink less than those after it. */
    int sinksBrought() {
        int all = world.sinks().size();
        return world.profile().isRolling()
                        && incarnation == 1
                        && !world.faults().haveCeased()
                ? all - 1
                : all;
    }

    List<Link> links() {
        return List.of(toStore, fromStore, toSinks, fromSinks);
    }

    Link toStore() {
        return toStore;
    }

    Link fromStore() {
        return fromStore;
    }

    Link fromSinks() {
        return fromSinks;
    }

    /** Those of its process, and of processes that were closed and have not come to their end. */
    List<Player> players() {
        return players;
    }

    /** A driver on it runs, or something else happens that may change what a guard on it answers. */
    void guardsMayChange() {
        guardsMayHaveChanged = true;
        world.guardsMayChange();
    }

    /** May a guard on it answer otherwise than when this was asked last, but for time? */
    boolean guardsMayHaveChanged() {
        boolean may = guardsMayHaveChanged;
        guardsMayHaveChanged = false;
        return may;
    }

    /** To be told whenever a process has begun or died: after each event everybody looks at the players. */
    private void lookWhoPlays() {
        processes.removeIf(old -> !old.isAlive());
        List<Player> all = new ArrayList<>();
        processes.forEach(one -> all.addAll(one.players()));
        players = all;
        guardsMayChange();
    }

    Optional<SimulatedProcess> process() {
        return process;
    }

    /** Of the process that runs on it. */
    Optional<Player> player(ElectionName election) {
        return process.map(running -> running.player(election));
    }

    void start() {
        if (process.isPresent()) {
            return;
        }
        incarnation++;
        candidate = named();
        SimulatedProcess next = new SimulatedProcess(world, this, candidate);
        processes.add(next);
        lookWhoPlays();
        process = Optional.of(next);
        next.begin();
    }

    /** Its process closes all elections; another one starts after a while. */
    void close(long downFor) {
        process.ifPresent(running -> {
            process = Optional.empty();
            running.close(world);
            world.agenda().in(downFor, this::start);
        });
    }

    /** Nothing is left of a closed process but tasks that do not return. */
    void ended(SimulatedProcess closed) {
        world.reach(Milestone.CLOSED_ALL);
    }

    void comesBackWithRank(CandidateRank another, long downFor) {
        rank = another;
        crash(downFor);
    }

    void crash(long downFor) {
        effectsUntilCrash = -1;
        crashesWhileFencing = false;
        if (processes.stream().noneMatch(SimulatedProcess::isAlive)) {
            return;
        }
        highestRole().flatMap(Node::crashedWhile).ifPresent(world::reach);
        boolean withItsMachine = world.profile().isHeard() && world.peers().diesWithItsMachine();
        processes.forEach(one -> one.die(withItsMachine));
        lookWhoPlays();
        process = Optional.empty();
        clock.resume();
        if (downFor < Long.MAX_VALUE) {
            world.agenda().in(downFor, this::start);
        }
    }

    /** Somebody turns the machine off, and somebody turns it on after a while. */
    void turnOff(long offFor) {
        boots++;
        crash(world.faults().isBroken(this) ? Long.MAX_VALUE : offFor);
    }

    String bootId() {
        return "boot" + boots;
    }

    /** Does that process run on this machine? */
    boolean runs(CandidateId id) {
        return processes.stream()
                .anyMatch(one -> one.runs() && one.candidate().id().equals(id));
    }

    /** Crashes after that many more effects: between two of one step, if it so falls. */
    void crashAfter(int effects, long downFor) {
        effectsUntilCrash = effects;
        crashLength = downFor;
    }

    /** Crashes after that many more effects of winning a term, or of what it does until it leads. */
    void crashWhileFencing(int effects, long downFor) {
        crashAfter(effects, downFor);
        crashesWhileFencing = true;
    }

    private Optional<Role> highestRole() {
        return players().stream().map(player -> player.state().role()).max(Enum::compareTo);
    }

    private static Optional<Milestone> crashedWhile(Role role) {
        return switch (role) {
            case LEADER -> Optional.of(Milestone.CRASHED_WHILE_LEADING);
            case FENCING -> Optional.of(Milestone.CRASHED_WHILE_FENCING);
            default -> Optional.empty();
        };
    }

    boolean crashesNow() {
        if (effectsUntilCrash < 0) {
            return false;
        }
        boolean counts = !crashesWhileFencing
                || players().stream().anyMatch(player -> player.state().role() == Role.FENCING);
        if (counts && effectsUntilCrash > 0) {
            effectsUntilCrash--;
        }
        if (effectsUntilCrash == 0) {
            crash(crashLength);
            return true;
        }
        return false;
    }

    /** Until that true time its watches hear nothing, and nobody tells it so. */
    void watchesNothingUntil(long time) {
        deafUntil = Math.max(deafUntil, time);
    }

    /** Until that true time nobody reads what other processes tell it, and it tells them nothing. */
    void readsNoBeatsUntil(long time) {
        readsNoBeatsUntil = Math.max(readsNoBeatsUntil, time);
    }

    long readsNoBeatsUntil() {
        return readsNoBeatsUntil;
    }

    /** Until that true time each of its tasks fails as soon as it has begun. */
    void failsItsTasksUntil(long time) {
        tasksFailUntil = Math.max(tasksFailUntil, time);
    }

    boolean failsItsTasks() {
        return world.now() < tasksFailUntil;
    }

    /** Nothing of it fails any more. */
    void recover() {
        deafUntil = 0;
        readsNoBeatsUntil = Math.min(readsNoBeatsUntil, world.now());
        tasksFailUntil = 0;
        starvedUntil = 0;
        throwsUntil = 0;
        listenersThrowUntil = 0;
        userCodeBlockedUntil = 0;
        deafToASinkUntil = 0;
        unwellAtTheNextClaim = false;
        noThreadNext = false;
        preemption = Optional.empty();
        effectsUntilCrash = -1;
        failing.clear();
    }

    boolean watches() {
        return world.now() >= deafUntil;
    }

    void stubbornNext() {
        stubbornNext = true;
    }

    void stubbornForEver() {
        stubbornForEver = true;
    }

    boolean isStubbornForEver() {
        return stubbornForEver;
    }

    boolean takesAStubbornTask() {
        boolean is = stubbornNext;
        stubbornNext = false;
        return is;
    }

    void gapNext(long nanos) {
        gapNext = nanos;
    }

    long gapBeforeEffect() {
        long gap = gapNext;
        gapNext = 0;
        return gap;
    }

    /** Until that true time one kind of its calls to the store fails, and no other. */
    void failsCalls(Calling kind, Calling.Fails how, long until) {
        failing.put(kind, new Failing(how, until));
    }

    Calling.Fails calling(Calling kind) {
        Failing now = failing.get(kind);
        return now == null || world.now() >= now.until() ? Calling.Fails.NOT : now.how();
    }

    /** Until that true time its driver's thread gets no processor, while its alarms do. */
    void starvesUntil(long time) {
        starvedUntil = Math.max(starvedUntil, time);
    }

    void starvesFor(long nanos) {
        starvesUntil(world.now() + nanos);
    }

    long starvedUntil() {
        return starvedUntil;
    }

    /** Until that true time its coordinator and its sinks throw at once when they are called, or its coordinator refuses every write, surely unapplied. */
    void throwsAtCallsUntil(long time, boolean refuses) {
        throwsUntil = Math.max(throwsUntil, time);
        refusesWrites = refuses;
    }

    boolean refusesWrites() {
        return refusesWrites;
    }

    boolean throwsAtCalls() {
        return world.now() < throwsUntil;
    }

    void listenersThrowUntil(long time) {
        listenersThrowUntil = Math.max(listenersThrowUntil, time);
    }

    boolean listenersThrow() {
        return world.now() < listenersThrowUntil;
    }

    /** Until that true time whatever user code runs next blocks. */
    void userCodeBlocksUntil(long time) {
        userCodeBlockedUntil = Math.max(userCodeBlockedUntil, time);
    }

    long userCodeWaits() {
        return Math.max(0, userCodeBlockedUntil - world.now());
    }

    void hearsNothingOf(int sink, long until) {
        sinkNotHeard = sink;
        deafToASinkUntil = until;
    }

    boolean isDeafTo(SinkModel sink) {
        boolean is = world.now() < deafToASinkUntil && world.sinks().indexOf(sink) == sinkNotHeard;
        if (is) {
            world.reach(Milestone.ONE_SINK_UNHEARD);
        }
        return is;
    }

    void preempts(Optional<Preemption> next) {
        preemption = next;
    }

    /** An answer of the store's has come: how late is it to be told, where its leader is preempted meanwhile? */
    Optional<Long> answered(Preemption.By by) {
        return preemption.flatMap(waiting -> waiting.happens(by));
    }

    void unwellAtTheNextClaim() {
        unwellAtTheNextClaim = true;
    }

    boolean isUnwellAtTheNextClaim() {
        boolean is = unwellAtTheNextClaim;
        unwellAtTheNextClaim = false;
        return is;
    }

    void startsNoThreadNext() {
        noThreadNext = true;
    }

    boolean cannotStartAThread() {
        return noThreadNext;
    }

    void noThreadWasStarted() {
        noThreadNext = false;
        world.reach(Milestone.NO_THREAD_TO_START);
    }
}
