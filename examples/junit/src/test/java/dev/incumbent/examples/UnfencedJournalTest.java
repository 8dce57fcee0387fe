package dev.incumbent.examples;

import dev.incumbent.junit.Worlds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Fails, as the test of a task with this bug does. */
class UnfencedJournalTest {
    @Test
    void noWriteOfTheUnfencedTaskComesLate() {
        Worlds.runSeeds(500, JournalTest.underFaults(JournalTest::unfenced));
    }

    @Test
    @EnabledIfSystemProperty(named = "seed", matches = ".+")
    void theSeedThatFailed() {
        Worlds.replay(Long.decode(System.getProperty("seed")), JournalTest.underFaults(JournalTest::unfenced));
    }
}
