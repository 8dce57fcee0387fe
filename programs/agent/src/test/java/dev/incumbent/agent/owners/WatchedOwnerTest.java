package dev.incumbent.agent.owners;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Owners that asked for the watchdog: when they lead, and when their terms are given up. */
class WatchedOwnerTest {
    private final Transcript play = new Transcript();

    @Test
    void nothingIsGrantedBeforeTheWatchdogGuards() {
        play.asksWatched("a", 3000).begins(7).did("a is in line", "stands", "watches a in 7");
        play.at(100).beats("a", 14_000).did("a waits at 1");

        play.guarded("a", 7, 14_000).beats("a", 13_900).did("a leads with 7 for 3000");
    }

    @Test
    void aHeartbeatThatWaitsHearsThatTheWatchdogGuards() {
        play.asksWatched("a", 3000).begins(7).hears("a").answers("a", 14_000);

        assertThat(play.hasNews("a")).isFalse();
        play.guarded("a", 7, 14_000);
        assertThat(play.hasNews("a")).isTrue();
    }

    @Test
    void anAnswerIsWorthOnlyWhatEndsASecondBeforeTheWatchdogFires() {
        play.asksWatched("a", 15_000).begins(7).guarded("a", 7, 14_000).did("a is in line", "stands", "watches a in 7");

        play.beats("a", 14_000).did("a leads with 7 for 13000");
        play.at(12_000).beats("a", 9000).did("a leads with 7 for 1000");
    }

    @Test
    void aTermWhoseOwnerSaysThatItStoppedIsGivenUpAtOnce() {
        guarded("a", 7, 14_000);

        play.at(1000).stopped("a", 7).did("watches a no more in 7", "gives up 7");
    }

    @Test
    void anOwnerThatLeavesHasStopped() {
        guarded("a", 7, 14_000);

        play.at(1000).leaves("a").did("a is gone", "watches a no more in 7", "withdraws", "gives up 7");
    }

    @Test
    void aTermWhoseOwnerIsMissedIsGivenUpOnlyOnceTheWatchdogShouldHaveFired() {
        guarded("a", 7, 14_000);

        play.at(3100).did("a must stop in 7");
        play.at(13_999).did();
        play.at(14_000).did("withdraws", "gives up 7");
    }

    @Test
    void anOwnerThatWasMissedMayStillSayThatItHasStopped() {
        guarded("a", 7, 14_000);
        play.at(3100).did("a must stop in 7");

        play.at(9000).stopped("a", 7).did("watches a no more in 7", "withdraws", "gives up 7");
    }

    @Test
    void aTermThatEndsWaitsForItsOwnerUntilTheWatchdogFires() {
        guarded("a", 7, 14_000);

        play.at(1000).ends(7).did("a must stop in 7");
        play.guarded("a", 7, 14_500).at(1500).beats("a", 14_000).did("a waits at 1, ended 7");
        play.at(2000).stopped("a", 7).did("watches a no more in 7", "gives up 7");
    }

    @Test
    void aTermInWhichNothingWasGrantedIsGivenUpAtOnce() {
        play.asksWatched("a", 3000).begins(7).guarded("a", 7, 14_000).did("a is in line", "stands", "watches a in 7");

        play.at(500).ends(7).did("watches a no more in 7", "gives up 7");
    }

    @Test
    void aTermThatGoesToAnotherOwnerIsWatchedForThatOneAlone() {
        play.asksWatched("a", 3000).asksWatched("b", 3000).begins(7);
        play.did("a is in line", "stands", "b is in line", "watches a in 7");

        play.at(100).hears("b").did("watches a no more in 7", "watches b in 7");
        play.guarded("a", 7, 14_000).answers("b", 14_000).did("b waits at 2");
        play.guarded("b", 7, 14_000).answers("b", 14_000).did("b leads with 7 for 3000");
    }

    @Test
    void anOwnerThatCannotBeGuardedStandsNoMore() {
        play.asksWatched("a", 3000).begins(7).did("a is in line", "stands", "watches a in 7");

        play.at(100).unguarded("a", 7).did("watches a no more in 7", "withdraws", "gives up 7");
        play.beats("a", 14_000).did("a is unknown");
    }

    @Test
    void workThatIsGuardedNoMoreHasToStopAndIsWaitedForAsLongAsTheLongestLease() {
        guarded("a", 7, 14_000);

        play.at(1000).unguarded("a", 7).did("a must stop in 7");
        play.beats("a", 14_000).did("a is unknown");
        play.at(15_999).did();
        play.at(16_000).did("withdraws", "gives up 7");
    }

    @Test
    void anOwnerThatDidNotAskIsNotWatched() {
        play.asks("a", 3000).begins(7).beats("a", 14_000).did("a is in line", "stands", "a leads with 7 for 3000");
    }

    /** It leads from the beginning, and was heard then. */
    private void guarded(String id, long token, long firesAtMillis) {
        play.asksWatched(id, 3000)
                .begins(token)
                .guarded(id, token, firesAtMillis)
                .beats(id, 14_000);
        play.did(
                id + " is in line",
                "stands",
                "watches " + id + " in " + token,
                id + " leads with " + token + " for 3000");
    }
}
