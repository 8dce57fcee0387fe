package dev.incumbent.junit;

/** What is played in a world: stores, candidates, faults, and what must hold. It is called once for each seed, and shares nothing between the seeds. */
@FunctionalInterface
public interface Scenario {
    /** Plays it on the thread of the test. Whatever it throws fails the seed. */
    void play(World world) throws Exception;
}
