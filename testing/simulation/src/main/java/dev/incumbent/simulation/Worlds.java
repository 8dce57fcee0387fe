package dev.incumbent.simulation;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Runs worlds by seed, or by a plan that was kept. Thread-safe: each world is its own. */
public final class Worlds {
    static final Consumer<String> UNTRACED = line -> {};

    private Worlds() {}

    /** How the world of that seed ends. */
    public static Ending run(long seed) {
        return run(seed, Profile.of(seed).plan());
    }

    /** The same with other faults: fewer, or shorter ones. */
    public static Ending run(long seed, List<Fault> plan) {
        return run(seed, plan, Canary.NONE, UNTRACED);
    }

    /** How that world ends, whatever its seed would draw today. */
    public static Ending run(Plan plan) {
        return run(plan, Canary.NONE, UNTRACED);
    }

    /** How that world ends, told event by event. */
    public static Ending replay(Plan plan, Consumer<String> trace) {
        return run(plan, Canary.NONE, trace);
    }

    /** How that world ends, told to a watcher and event by event. */
    public static Ending watch(Plan plan, Consumer<String> trace, WorldWatcher watcher) {
        World world = new World(plan.profile(), plan.faults(), Canary.NONE, trace);
        WatchedWorld.watch(world, watcher, plan.faults());
        return ended(plan, world);
    }

    static Ending run(long seed, List<Fault> faults, Canary canary, Consumer<String> trace) {
        return run(new Plan(Profile.of(seed), faults), canary, trace);
    }

    static Ending run(Plan plan, Canary canary, Consumer<String> trace) {
        return ended(plan, new World(plan.profile(), plan.faults(), canary, trace));
    }

    private static Ending ended(Plan plan, World world) {
        Optional<Violation> violation = world.run();
        return new Ending(plan.seed(), world.events(), world.now(), world.hash(), world.milestones(), violation);
    }
}
