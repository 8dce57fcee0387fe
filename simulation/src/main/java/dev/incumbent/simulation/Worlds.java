package dev.incumbent.simulation;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Runs worlds by seed. Thread-safe: each world is its own. */
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

    /** How the world of that seed ends, told event by event. */
    public static Ending replay(long seed, Consumer<String> trace) {
        return run(seed, Profile.of(seed).plan(), Canary.NONE, trace);
    }

    static Ending run(long seed, List<Fault> plan, Canary canary, Consumer<String> trace) {
        World world = new World(Profile.of(seed), plan, canary, trace);
        Optional<Violation> violation = world.run();
        return new Ending(seed, world.events(), world.now(), world.hash(), world.milestones(), violation);
    }
}
