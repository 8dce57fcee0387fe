package dev.incumbent.junit;

import java.util.List;

/** Plays a scenario in one virtual world after another. */
public final class Worlds {
    private static final long FIRST = 1;

    private Worlds() {}

    /**
     * Plays the scenario with each of so many seeds, from 1 on, up to the first that fails.
     *
     * @throws AssertionError a seed has failed; the message has the seed, what was thrown, the story of that world in a few lines, and how to play it again
     */
    public static void runSeeds(int count, Scenario scenario) {
        runSeeds(FIRST, count, scenario);
    }

    /** The same with other seeds: that one and those that follow it. */
    public static void runSeeds(long first, int count, Scenario scenario) {
        if (count < 1) {
            throw new IllegalArgumentException("at least one seed is played, not " + count);
        }
        for (int i = 0; i < count; i++) {
            replay(first + i, scenario);
        }
    }

    /** Plays the scenario with that seed, and tells the story line by line. The same seed and scenario, the same story. */
    public static List<String> replay(long seed, Scenario scenario) {
        VirtualWorld world = new VirtualWorld(seed);
        try {
            try {
                scenario.play(world);
            } finally {
                world.close();
            }
            world.rethrowWhatIsUntold();
        } catch (Throwable thrown) {
            throw new AssertionError("seed 0x%x: %s%n%s".formatted(seed, thrown, world.digest()), thrown);
        }
        return world.story();
    }
}
