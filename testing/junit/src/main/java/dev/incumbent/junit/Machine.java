package dev.incumbent.junit;

import dev.incumbent.LeaderTask;
import dev.incumbent.simulation.Draws;
import dev.incumbent.simulation.DriftingClock;
import dev.incumbent.simulation.Link;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The machine of one candidate: its clocks, its links, and one process after another on it. */
final class Machine {
    private static final int CLOCK = 4;
    private static final int STREAMS = 5;
    /** Less than a clock may err by, in millionths. */
    private static final long WITHIN_DRIFT = 900;

    private static final long MOST_OFFSET = Duration.ofSeconds(1).toNanos();

    private final VirtualWorld world;
    private final String name;
    private final LeaderTask task;
    private final DriftingClock clock;
    private final List<Link> links;
    private Optional<VirtualProcess> process = Optional.empty();
    private Optional<Strike> strike = Optional.empty();
    private boolean staysDown;
    private int incarnation;

    /**
     * A fault that waits for a call of the task.
     *
     * @param afterCheck it waits for a guard that says yes
     * @param kills the process dies and is down for that long, and does not stand still
     */
    record Strike(long nanos, boolean afterCheck, boolean kills) {}

    Machine(VirtualWorld world, String name, LeaderTask task, Draws draws) {
        this.world = world;
        this.name = name;
        this.task = task;
        double rate = 1 + draws.between(CLOCK, -WITHIN_DRIFT, WITHIN_DRIFT) / 1e6;
        this.clock = new DriftingClock(world.agenda(), draws.below(CLOCK, MOST_OFFSET), rate);
        clock.withBootClock();
        this.links = List.of(link(draws, 0), link(draws, 1), link(draws, 2), link(draws, 3));
    }

    /** The draws of one machine: those of others change none of them. */
    static Draws drawsOf(long seed, int index) {
        return new Draws(Draws.mix(seed, 1 + index), STREAMS);
    }

    private Link link(Draws draws, int stream) {
        return new Link(world.agenda(), draws, stream, world.latencyNanos());
    }

    VirtualWorld world() {
        return world;
    }

    String name() {
        return name;
    }

    LeaderTask task() {
        return task;
    }

    DriftingClock clock() {
        return clock;
    }

    Link toCoordinator() {
        return links.get(0);
    }

    Link fromCoordinator() {
        return links.get(1);
    }

    Link toStores() {
        return links.get(2);
    }

    Link fromStores() {
        return links.get(3);
    }

    /** The task on it whose guard says yes; of several, that of the last term. */
    Optional<VirtualTask> leading() {
        return process.flatMap(running -> running.leading().stream()
                .max(Comparator.comparingLong(one -> one.term().number())));
    }

    boolean isUp() {
        return process.isPresent();
    }

    void start() {
        if (process.isEmpty()) {
            staysDown = false;
            incarnation++;
            world.storyTeller().add(name + " starts");
            process = Optional.of(new VirtualProcess(this, incarnation));
        }
    }

    /** Its process dies; somebody has to start it. */
    void kill() {
        staysDown = true;
        die();
    }

    /** Its process dies, and starts again after so long. */
    void crash(long downFor) {
        if (isUp()) {
            die();
            world.agenda().in(downFor, this::startUnlessKilled);
        }
    }

    void startUnlessKilled() {
        if (!staysDown) {
            start();
        }
    }

    private void die() {
        strike = Optional.empty();
        process.ifPresent(dying -> {
            process = Optional.empty();
            world.storyTeller().add(name + " dies");
            dying.die();
        });
        clock.resume();
    }

    /** The world is over. */
    void end() {
        process.ifPresent(VirtualProcess::die);
        process = Optional.empty();
    }

    void pause(long nanos, String where) {
        world.storyTeller().add("%s stands still for %.3f s%s".formatted(name, nanos / 1e9, where));
        clock.pauseUntil(world.agenda().now() + nanos);
    }

    /** The next call of its task that fits is struck. */
    void strikeNext(Strike next) {
        strike = Optional.of(next);
    }

    /** In a call of its task: is this one struck, so that the task must hand over? If so, its next turn is arranged. */
    boolean strikesNow(boolean afterCheck) {
        Optional<Strike> now = strike.filter(it -> it.afterCheck() == afterCheck);
        now.ifPresent(it -> {
            strike = Optional.empty();
            VirtualTask struck = world.running().orElseThrow();
            if (it.kills()) {
                world.agenda().in(0, () -> crash(it.nanos()));
            } else {
                pause(it.nanos(), afterCheck ? ", after its guard said yes" : ", between two calls of its task");
                struck.process().platform().soon(struck::takeTurn);
            }
        });
        return now.isPresent();
    }

    void cutFromCoordinator(long nanos) {
        world.storyTeller().add("%s is cut off from the coordinator for %.3f s".formatted(name, nanos / 1e9));
        cut(links.subList(0, 2), nanos);
    }

    void cutFromStores(long nanos) {
        world.storyTeller().add("%s is cut off from the stores for %.3f s".formatted(name, nanos / 1e9));
        cut(links.subList(2, 4), nanos);
    }

    private void cut(List<Link> those, long nanos) {
        those.forEach(link -> link.cutUntil(world.agenda().now() + nanos));
    }

    void stepWall(Duration by) {
        world.storyTeller().add("the wall clock of " + name + " is set by " + by);
        clock.stepWall(by.toNanos());
    }

    void heal() {
        strike = Optional.empty();
        links.forEach(Link::heal);
        clock.resume();
        startUnlessKilled();
    }
}
