package dev.incumbent.simulation;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.LeaseLostException;
import dev.incumbent.coordinator.memory.MemoryCoordinator;
import dev.incumbent.coordinator.memory.Wire;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Role;
import dev.incumbent.protocol.Event;
import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.SessionEffect;
import dev.incumbent.protocol.SessionEvent;
import dev.incumbent.protocol.SessionProtocol;
import dev.incumbent.protocol.SessionState;
import dev.incumbent.protocol.Step;
import dev.incumbent.time.Timeline;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** One machine of the world: a clock, links, and one process after another on it, each a new incarnation. */
final class Node {
    private final World world;
    private final int index;
    private final DriftingClock clock;
    private final Link toStore;
    private final Link fromStore;
    private final Link toSinks;
    private final Link fromSinks;
    private final SessionProtocol protocol;
    private Map<ElectionName, Player> players = Map.of();
    private List<Player> playing = List.of();
    private final Queue<Runnable> posted = new ArrayDeque<>();
    private boolean running;
    private int incarnation;
    private boolean up;
    private Candidate candidate;
    private Coordinator coordinator;
    private SessionState session = SessionState.START;
    private Optional<Timeline.Alarm> alarm = Optional.empty();
    private int effectsUntilCrash = -1;
    private long crashLength;
    private boolean crashesWhileFencing;
    private boolean stubbornNext;
    private boolean stubbornForEver;
    private long gapNext;
    private long deafUntil;
    private long tasksFailUntil;

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
        this.protocol = new SessionProtocol(world.timing());
        this.candidate = named();
        this.coordinator = connected();
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

    boolean isUp() {
        return up;
    }

    DriftingClock clock() {
        return clock;
    }

    Coordinator coordinator() {
        return coordinator;
    }

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

    List<Player> players() {
        return playing;
    }

    Optional<Player> player(ElectionName election) {
        return Optional.ofNullable(players.get(election));
    }

    private Candidate named() {
        String name = "n" + index;
        return new Candidate(CandidateId.of(name, "host" + index, incarnation, "r" + incarnation), name, "");
    }

    private Coordinator connected() {
        int mine = incarnation;
        Wire wire = new Wire() {
            @Override
            public void toStore(Runnable arrival) {
                toStore.carry(arrival);
            }

            @Override
            public void toClient(Runnable arrival) {
                fromStore.carry(() -> clock.whenAwake(() -> {
                    if (up && mine == incarnation) {
                        arrival.run();
                    }
                }));
            }
        };
        return world.broken(MemoryCoordinator.connect(
                world.store(), wire, clock, world.timing().requestTimeout()));
    }

    void start() {
        up = true;
        incarnation++;
        candidate = named();
        coordinator = connected();
        session = SessionState.START;
        Map<ElectionName, Player> next = new LinkedHashMap<>();
        for (ElectionName election : world.elections()) {
            next.put(election, world.player(this, election));
        }
        play(next);
        post(() -> step(new SessionEvent.Opened()));
        players().forEach(player -> player.post(new Event.Campaigned()));
    }

    private void play(Map<ElectionName, Player> next) {
        players = next;
        playing = List.copyOf(next.values());
    }

    void crash(long downFor) {
        if (!up) {
            return;
        }
        highestRole().flatMap(Node::crashedWhile).ifPresent(world::reach);
        up = false;
        effectsUntilCrash = -1;
        crashesWhileFencing = false;
        posted.clear();
        players().forEach(Player::die);
        play(Map.of());
        alarm.ifPresent(Timeline.Alarm::cancel);
        coordinator.close();
        clock.resume();
        if (downFor < Long.MAX_VALUE) {
            world.agenda().in(downFor, this::startAgain);
        }
    }

    private void startAgain() {
        if (!up) {
            start();
        }
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
        return playing.stream().map(player -> player.state().role()).max(Enum::compareTo);
    }

    private static Optional<Milestone> crashedWhile(Role role) {
        return switch (role) {
            case LEADER -> Optional.of(Milestone.CRASHED_WHILE_LEADING);
            case FENCING -> Optional.of(Milestone.CRASHED_WHILE_FENCING);
            default -> Optional.empty();
        };
    }

    boolean crashesNow() {
        boolean counts = !crashesWhileFencing
                || playing.stream().anyMatch(player -> player.state().role() == Role.FENCING);
        if (counts && effectsUntilCrash > 0) {
            effectsUntilCrash--;
        }
        if (effectsUntilCrash == 0) {
            crash(crashLength);
        }
        return !up;
    }

    /** Until that true time its watches hear nothing, and nobody tells it so. */
    void watchesNothingUntil(long time) {
        deafUntil = Math.max(deafUntil, time);
    }

    /** Until that true time each of its tasks fails as soon as it has begun. */
    void failsItsTasksUntil(long time) {
        tasksFailUntil = Math.max(tasksFailUntil, time);
    }

    boolean failsItsTasks() {
        return world.now() < tasksFailUntil;
    }

    /** Its watches hear again, and its tasks fail no more. */
    void recover() {
        deafUntil = 0;
        tasksFailUntil = 0;
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

    /** Runs it on this process's one thread: never within another step, never after a crash, never while paused. */
    void post(Runnable step) {
        if (!up) {
            return;
        }
        posted.add(step);
        if (running) {
            return;
        }
        running = true;
        try {
            while (up && !posted.isEmpty()) {
                posted.remove().run();
            }
        } finally {
            running = false;
        }
    }

    void endSession() {
        post(() -> step(new SessionEvent.TaskStalled()));
    }

    private void step(SessionEvent event) {
        Moment moment = new Moment(clock.nanos(), Instant.ofEpochMilli(clock.wallMillis()));
        Step<SessionState, SessionEffect> step = protocol.step(session, event, moment);
        session = step.state();
        step.effects().forEach(this::perform);
        alarm.ifPresent(Timeline.Alarm::cancel);
        alarm = step.wakeAtNanos() == Step.NEVER
                ? Optional.empty()
                : Optional.of(clock.at(step.wakeAtNanos(), () -> post(() -> step(new SessionEvent.Woken()))));
    }

    private void perform(SessionEffect effect) {
        if (effect instanceof SessionEffect.GrantLease) {
            grant();
        } else if (effect instanceof SessionEffect.KeepAlive e) {
            keepAlive(e.lease());
        } else if (effect instanceof SessionEffect.RevokeLease e) {
            coordinator.revoke(e.lease());
        } else if (effect instanceof SessionEffect.ReadProofs) {
            players().forEach(Player::readRecord);
            players().forEach(Player::readMarks);
        } else if (effect instanceof SessionEffect.TellElections e) {
            players().forEach(player -> player.post(e.event()));
        }
    }

    private void grant() {
        long sentAt = clock.nanos();
        coordinator
                .grant(candidate.id(), world.timing().lease())
                .whenComplete((granted, failure) -> post(() -> step(
                        failure == null
                                ? new SessionEvent.Granted(granted.id(), granted.timeToLive(), sentAt)
                                : new SessionEvent.GrantFailed("no answer"))));
    }

    private void keepAlive(LeaseId lease) {
        long sentAt = clock.nanos();
        coordinator
                .keepAlive(lease)
                .whenComplete(
                        (done, failure) -> post(() -> step(outcome(lease, sentAt, Optional.ofNullable(failure)))));
    }

    private static SessionEvent outcome(LeaseId lease, long sentAt, Optional<Throwable> failure) {
        if (failure.isEmpty()) {
            return new SessionEvent.KeptAlive(lease, sentAt);
        }
        Throwable cause = Failures.cause(failure.get());
        return cause instanceof LeaseLostException
                ? new SessionEvent.Died(lease)
                : new SessionEvent.KeepAliveFailed(lease, "no answer");
    }

    /** Asks a sink: its answer, or after the bound its silence; what was asked may still happen there later. */
    <T> void askSink(Supplier<T> atTheSink, Consumer<T> answered, long boundNanos, Runnable silent) {
        int mine = incarnation;
        List<Boolean> settled = new ArrayList<>();
        toSinks.carry(() -> {
            T answer = atTheSink.get();
            fromSinks.carry(() -> clock.whenAwake(() -> {
                if (up && mine == incarnation && settled.isEmpty()) {
                    settled.add(true);
                    answered.accept(answer);
                }
            }));
        });
        clock.at(clock.nanos() + boundNanos, () -> {
            if (up && mine == incarnation && settled.isEmpty()) {
                settled.add(true);
                silent.run();
            }
        });
    }
}
