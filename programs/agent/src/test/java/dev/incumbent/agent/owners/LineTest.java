package dev.incumbent.agent.owners;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Several owners of one election on one host: whose the next term is, and when the agent stands. */
class LineTest {
    private final Transcript play = new Transcript();

    @Test
    void theAgentStandsWhileSomebodyIsInLine() {
        play.asks("a", 3000).did("a is in line", "stands");
        play.asks("b", 3000).did("b is in line");
        play.leaves("a").did("a is gone");
        play.leaves("b").did("b is gone", "withdraws");
        play.asks("c", 3000).did("c is in line", "stands");
    }

    @Test
    void aTermBelongsToTheFirstInLine() {
        play.asks("a", 3000).asks("b", 3000).hears("a").hears("b").begins(7);
        play.did("a is in line", "stands", "b is in line");

        play.beats("b", 14_000).beats("a", 14_000).did("b waits at 2", "a leads with 7 for 3000");
    }

    @Test
    void aTermGoesToWhoWasHeardBeforeWhoWasNot() {
        play.asks("lost", 9000).asks("b", 3000).hears("b").begins(7).beats("lost", 14_000);
        play.did("lost is in line", "stands", "b is in line", "lost waits at 1");

        play.beats("b", 14_000).did("b leads with 7 for 3000");
    }

    @Test
    void aTermThatNobodyWasHeardForGoesToNoStranger() {
        play.asks("a", 9000).begins(7).beats("stranger", 14_000);
        play.did("a is in line", "stands", "stranger is unknown");

        play.beats("a", 14_000).did("a leads with 7 for 9000");
    }

    @Test
    void theAgentWakesForWhoeverIsMissedFirstAlsoWhileATermEnds() {
        play.asks("a", 9000).asks("b", 3000).begins(7).beats("a", 14_000).ends(7);
        assertThat(play.wakeAtMillis()).isEqualTo(3000);

        play.at(3000);
        assertThat(play.wakeAtMillis()).isEqualTo(9000);
    }

    @Test
    void aTermThatNobodyWasHeardForGoesToTheFirstWhoIs() {
        play.asks("lost", 9000).asks("b", 3000).begins(7).beats("b", 14_000);
        play.did("lost is in line", "stands", "b is in line", "b leads with 7 for 3000");

        play.beats("lost", 14_000).did("lost waits at 1");
    }

    @Test
    void aTermThatEndsGoesToNobodyWhoIsHeardLater() {
        play.asks("lost", 9000).asks("b", 9000).begins(7).ends(7);

        play.did("lost is in line", "stands", "b is in line", "gives up 7");
        play.beats("b", 14_000).did("b waits at 1");
    }

    @Test
    void aTermIsNeverHandedToTheNextOwner() {
        play.asks("a", 3000).asks("b", 3000).begins(7).beats("a", 14_000);
        play.did("a is in line", "stands", "b is in line", "a leads with 7 for 3000");

        play.leaves("a").did("a is gone", "gives up 7");
        play.beats("b", 14_000).did("b waits at 1");
        play.begins(8).beats("b", 14_000).did("b leads with 8 for 3000");
    }

    @Test
    void whoLeavesTheLineEndsNobodysTerm() {
        play.asks("a", 9000).asks("b", 9000).begins(7).beats("a", 14_000);
        play.did("a is in line", "stands", "b is in line", "a leads with 7 for 9000");

        play.leaves("b").did("b is gone");
        play.beats("a", 14_000).did("a leads with 7 for 9000");
    }

    @Test
    void aTermIsNotHandedOnWhileItsOwnerIsMissed() {
        play.asks("a", 3000).asks("b", 9000).begins(7).beats("a", 14_000);
        play.did("a is in line", "stands", "b is in line", "a leads with 7 for 3000");

        play.at(2999).beats("b", 14_000).did("b waits at 2");
        play.at(3000).did("gives up 7");
        play.beats("b", 14_000).did("b waits at 1");
    }

    @Test
    void whoseTermHasEndedStandsLast() {
        play.asks("a", 9000).asks("b", 9000).begins(7).beats("a", 14_000).stopped("a", 7);
        play.did("a is in line", "stands", "b is in line", "a leads with 7 for 9000", "gives up 7");

        play.hears("b").begins(8).beats("a", 14_000).beats("b", 14_000).did("a waits at 2", "b leads with 8 for 9000");
    }

    @Test
    void theNextTermDoesNotBeginBesideOneThatIsNotGivenUp() {
        play.asks("a", 9000).begins(7).beats("a", 14_000);
        play.did("a is in line", "stands", "a leads with 7 for 9000");

        play.begins(8).did("gives up 8");
        play.beats("a", 14_000).did("a leads with 7 for 9000");
    }

    @Test
    void aTermThatNobodyWaitsForIsGivenUp() {
        play.asks("a", 3000).leaves("a").did("a is in line", "stands", "a is gone", "withdraws");

        play.begins(7).did("gives up 7");
    }

    @Test
    void theAgentStaysUntilTheLastTermIsGivenUp() {
        play.asks("a", 9000).begins(7).beats("a", 14_000).drains();
        play.did("a is in line", "stands", "a leads with 7 for 9000");

        play.at(8000).beats("a", 14_000).did("a waits at 1, ended 7");
        play.at(8500).stopped("a", 7).did("withdraws", "gives up 7");
    }

    @Test
    void anAgentThatDrainsTakesNobodyAndNoTerm() {
        play.asks("a", 3000).drains().did("a is in line", "stands", "withdraws");

        play.asks("b", 3000).did("b is refused: DRAINING");
        play.begins(7).did("gives up 7");
    }

    @Test
    void aTimeToLiveHasBounds() {
        play.asks("a", 999).did("a is refused: TTL");
        play.asks("b", 15_001).did("b is refused: TTL");
        play.asks("c", 1000).asks("d", 15_000).did("c is in line", "stands", "d is in line");
    }

    @Test
    void theOwnersOfAnElectionAreBounded() {
        play.asks("a", 3000).asks("b", 3000).asks("c", 3000).asks("d", 3000);

        play.did("a is in line", "stands", "b is in line", "c is in line", "d is refused: FULL");
    }

    @Test
    void whatAnOwnerWasNotToldIsNews() {
        play.asks("a", 3000);
        assertThat(play.hasNews("a")).isFalse();

        play.begins(7);
        assertThat(play.hasNews("a")).isTrue();
        play.beats("a", 14_000);
        assertThat(play.hasNews("a")).isFalse();

        play.ends(7);
        assertThat(play.hasNews("a")).isTrue();
        play.beats("a", 14_000);
        assertThat(play.hasNews("a")).isFalse();
        play.leaves("a");
        assertThat(play.hasNews("a")).as("it is not known any more").isTrue();
    }

    @Test
    void nothingIsLeftOfAnElectionThatAllHaveLeft() {
        play.asks("a", 3000).begins(7);
        assertThat(play.state().isIdle()).isFalse();

        play.leaves("a");

        assertThat(play.state().isIdle()).isTrue();
        assertThat(play.wakeAtMillis()).isEqualTo(dev.incumbent.protocol.Step.NEVER);
    }
}
