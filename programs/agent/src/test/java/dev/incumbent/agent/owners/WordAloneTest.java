package dev.incumbent.agent.owners;

import org.junit.jupiter.api.Test;

/** Owners of an election whose former leaders are turned off: time alone ends none of their terms. */
class WordAloneTest {
    private static final long MILLI = 1_000_000;

    private final Transcript play =
            new Transcript(new OwnersSetup(1000 * MILLI, 15_000 * MILLI, 15_000 * MILLI, 0, 3).endingByWordAlone());

    @Test
    void aTermWhoseOwnerIsSilentIsKept() {
        leads();

        play.at(100_000).did();
        play.stopped("a", 7).did("withdraws", "gives up 7");
    }

    @Test
    void anOwnerThatWasMissedMayLeave() {
        leads();
        play.at(9000).did();

        play.leaves("a").did("a is unknown", "withdraws", "gives up 7");
    }

    @Test
    void aTermThatEndsIsKeptUntilItsOwnerSaysThatItHasStopped() {
        leads();

        play.at(1000).ends(7).did();
        play.at(2000).beats("a", 14_000).did("a waits at 1, ended 7");
        play.at(60_000).did();
        play.stopped("a", 7).did("withdraws", "gives up 7");
    }

    @Test
    void nobodyElseOfThisHostLeadsMeanwhile() {
        leads();
        play.asks("b", 15_000).did("b is in line");

        play.at(9000).beats("b", 14_000).did("b waits at 1");
        play.stopped("a", 7).did("gives up 7");
        play.begins(8).beats("b", 14_000).did("b leads with 8 for 14000");
    }

    @Test
    void aTermInWhichNothingWasGrantedIsGivenUpAtOnce() {
        play.asks("a", 3000).begins(7).did("a is in line", "stands");

        play.at(500).ends(7).did("gives up 7");
    }

    private void leads() {
        play.asks("a", 3000).begins(7).beats("a", 14_000).did("a is in line", "stands", "a leads with 7 for 3000");
    }
}
