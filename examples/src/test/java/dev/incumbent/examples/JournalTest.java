package dev.incumbent.examples;

import static java.time.Duration.ofSeconds;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.incumbent.LeaderTask;
import dev.incumbent.junit.FaultKind;
import dev.incumbent.junit.IncumbentTest;
import dev.incumbent.junit.Scenario;
import dev.incumbent.junit.VirtualStore;
import dev.incumbent.junit.World;
import dev.incumbent.junit.Worlds;
import dev.incumbent.model.FencingToken;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A task of your own in a virtual world: the one that only asks its guard is convicted, the one that shows its token is not. */
class JournalTest {
    /** Makes a task over a world and its journal. */
    interface Kind {
        LeaderTask over(World world, VirtualStore<List<String>> journal);
    }

    static LeaderTask unfenced(World world, VirtualStore<List<String>> journal) {
        return leadership -> {
            while (leadership.holds()) {
                journal.write(lines -> lines.add("a line of " + leadership.term()));
                world.sleep(ofSeconds(2));
            }
        };
    }

    static LeaderTask fenced(World world, VirtualStore<List<String>> journal) {
        return leadership -> {
            while (leadership.holds()) {
                journal.write(leadership.token(), lines -> lines.add("a line of " + leadership.term()));
                world.sleep(ofSeconds(2));
            }
        };
    }

    static Scenario underFaults(Kind kind) {
        return world -> {
            VirtualStore<List<String>> journal = world.fencedStore("journal", new ArrayList<>());
            world.candidate("a", kind.over(world, journal));
            world.candidate("b", kind.over(world, journal));
            world.injectFaults();
            world.runFor(ofSeconds(150));
            world.assertNoStaleWrites();
        };
    }

    @Test
    void noWriteOfTheFencedTaskComesLate() {
        Worlds.runSeeds(500, underFaults(JournalTest::fenced));
    }

    @Test
    void aWriteOfTheUnfencedTaskComesLate() {
        AssertionError convicted =
                assertThrows(AssertionError.class, () -> Worlds.runSeeds(500, underFaults(JournalTest::unfenced)));
        assertTrue(convicted.toString().contains("a stale write: journal accepted"), convicted.toString());
    }

    @IncumbentTest
    void aPausedLeaderIsRefused(World world) {
        VirtualStore<List<String>> journal = world.fencedStore("journal", new ArrayList<>());
        world.candidate("a", fenced(world, journal));
        world.candidate("b", fenced(world, journal));
        world.awaitLeader();

        world.pauseLeaderAfterItsNextCheck(ofSeconds(60));
        world.runFor(ofSeconds(90));

        world.assertNoStaleWrites();
        assertTrue(world.story().stream().anyMatch(line -> line.contains("journal refuses")));
    }

    static class Balance {
        private long greatest;
        private long cents;

        void add(long more, FencingToken token) {
            if (token.value() < greatest) {
                throw new IllegalStateException(token + " is older than " + greatest);
            }
            greatest = token.value();
            cents += more;
        }
    }

    @Test
    void aFenceOfYourOwn() {
        Worlds.runSeeds(50, world -> {
            Balance balance = new Balance();
            VirtualStore<Balance> store = world.store("balance", balance);
            LeaderTask task = leadership -> {
                while (leadership.holds()) {
                    store.write(there -> there.add(100, leadership.token()));
                    world.sleep(ofSeconds(5));
                }
            };
            world.candidate("a", task);
            world.candidate("b", task);
            world.always("whole euros alone", () -> balance.cents % 100 == 0);
            world.injectFaults(FaultKind.PAUSE, FaultKind.KILL);
            world.runFor(ofSeconds(100));
            world.assertNoStaleWrites();
        });
    }

    @Test
    void theSameSeedTellsTheSameStory() {
        Scenario scenario = underFaults(JournalTest::fenced);

        assertEquals(Worlds.replay(0x2aL, scenario), Worlds.replay(0x2aL, scenario));
    }
}
