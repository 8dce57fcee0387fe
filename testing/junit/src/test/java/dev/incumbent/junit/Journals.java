package dev.incumbent.junit;

import static java.time.Duration.ofSeconds;

import dev.incumbent.LeaderTask;
import java.util.ArrayList;
import java.util.List;

/** Tasks that write a journal, and the world that they are tried in. */
final class Journals {
    private Journals() {}

    /** What makes a task that writes a journal. */
    @FunctionalInterface
    interface Kind {
        LeaderTask over(World world, VirtualStore<List<String>> journal);
    }

    /** Asks its guard, then writes without a token: between the two anything may happen. */
    static LeaderTask unfenced(World world, VirtualStore<List<String>> journal) {
        return leadership -> {
            while (leadership.holds()) {
                journal.write(lines -> lines.add("a line of " + leadership.term()));
                world.sleep(ofSeconds(2));
            }
        };
    }

    /** Shows its token with each write. */
    static LeaderTask fenced(World world, VirtualStore<List<String>> journal) {
        return leadership -> {
            while (leadership.holds()) {
                journal.write(leadership.token(), lines -> lines.add("a line of " + leadership.term()));
                world.sleep(ofSeconds(2));
            }
        };
    }

    /** Three candidates with such tasks under faults, for ten leases. */
    static Scenario underFaults(Kind kind) {
        return world -> {
            VirtualStore<List<String>> journal = world.fencedStore("journal", new ArrayList<>());
            world.candidate("a", kind.over(world, journal));
            world.candidate("b", kind.over(world, journal));
            world.candidate("c", kind.over(world, journal));
            world.injectFaults();

            world.runFor(ofSeconds(150));

            world.assertNoStaleWrites();
        };
    }
}
