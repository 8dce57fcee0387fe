package dev.incumbent.agent.owners;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** For how long an owner may believe that it leads, and when its term is given up. */
class SubLeaseTest {
    private static final long MILLI = 1_000_000;

    private final Transcript play = new Transcript();

    @Test
    void anAnswerIsWorthTheTimeToLiveAtMost() {
        leader("a", 3000, 7);

        play.at(100).beats("a", 14_000).did("a leads with 7 for 3000");
    }

    @Test
    void anAnswerIsWorthNoMoreThanTheAgentsOwnLeadership() {
        leader("a", 3000, 7);

        play.at(100).beats("a", 1200).did("a leads with 7 for 1200");
    }

    @Test
    void whatIsPromisedIsWhatTheOwnerMayStillBelieve() {
        leader("a", 3000, 7);
        assertThat(promisedMillis(0)).as("nothing was granted").isZero();

        play.at(100).beats("a", 14_000).did("a leads with 7 for 3000");
        assertThat(promisedMillis(100)).isEqualTo(3000);
        assertThat(promisedMillis(1100)).isEqualTo(2000);
        assertThat(promisedMillis(3100)).isZero();
        assertThat(promisedMillis(9000)).isZero();

        play.at(200).ends(7);
        assertThat(promisedMillis(200)).as("the term ends").isZero();
    }

    @Test
    void aTermIsLedFromItsFirstGrantOnUntilNothingMoreIsGranted() {
        play.asks("a", 3000).asks("b", 3000).begins(7).hears("a");
        assertThat(play.state().ledToken()).as("nothing was granted").isEmpty();

        play.answers("a", 14_000);
        assertThat(play.state().ledToken()).contains(7L);
        play.beats("b", 14_000);
        assertThat(play.state().ledToken()).contains(7L);
        play.at(200).ends(7);
        assertThat(play.state().ledToken()).as("its owner may still believe").isEmpty();

        play.stopped("a", 7).begins(8).beats("b", 14_000);
        assertThat(play.state().ledToken()).contains(8L);
        play.at(2000).hears("a").at(3500);
        assertThat(play.state().ledToken()).as("b is missed").isEmpty();
    }

    private long promisedMillis(long at) {
        return play.state().promisedNanos(at * MILLI) / MILLI;
    }

    @Test
    void aPromiseAllowsForTheDriftOfClocks() {
        Transcript drifting = new Transcript(new OwnersSetup(1000 * MILLI, 15_000 * MILLI, 15_000 * MILLI, 0.1, 3));

        drifting.asks("a", 9000).begins(7).beats("a", 2201).did("a is in line", "stands", "a leads with 7 for 1800");

        assertThat(drifting.state().promisedNanos(0) / MILLI).isBetween(1799L, 1800L);
        assertThat(drifting.state().promisedNanos(1100 * MILLI) / MILLI).isBetween(899L, 900L);
    }

    @Test
    void anAnswerIsWorthNoMoreThanTheLibraryWaits() {
        Transcript guarded = new Transcript(new OwnersSetup(1000 * MILLI, 15_000 * MILLI, 4900 * MILLI, 0, 3));

        guarded.asks("a", 9000).begins(7).did("a is in line", "stands");

        guarded.beats("a", 14_000).did("a leads with 7 for 4900");
        assertThat(guarded.state().setup().heartbeatNanos(9000 * MILLI)).isEqualTo(4900 * MILLI / 3);
    }

    @Test
    void nothingIsGrantedForLessThanAMillisecond() {
        leader("a", 3000, 7);

        play.at(100).answersAtTheEnd("a").did("a waits at 1, ended 7", "gives up 7");
    }

    @Test
    void aSlowClockOfTheOwnerIsAllowedForTwice() {
        Transcript drifting = new Transcript(new OwnersSetup(1000 * MILLI, 15_000 * MILLI, 15_000 * MILLI, 0.1, 3));
        drifting.asks("a", 9000).begins(7).did("a is in line", "stands");

        drifting.beats("a", 2201).did("a leads with 7 for 1800");
        drifting.ends(7).at(2199).did();
        drifting.at(2201).did("gives up 7");
    }

    @Test
    void theTimeToLiveItselfIsAllowedTheDriftOfClocks() {
        Transcript drifting = new Transcript(new OwnersSetup(1000 * MILLI, 15_000 * MILLI, 15_000 * MILLI, 0.1, 3));
        drifting.asks("a", 9000).did("a is in line", "stands");

        drifting.at(10_999).did();
        drifting.at(11_001).did("withdraws");
    }

    @Test
    void soIsTheTimeToLiveAfterEachHeartbeat() {
        Transcript drifting = new Transcript(new OwnersSetup(1000 * MILLI, 15_000 * MILLI, 15_000 * MILLI, 0.1, 3));
        drifting.asks("a", 9000).at(5000).hears("a").did("a is in line", "stands");

        drifting.at(15_999).did();
        drifting.at(16_001).did("withdraws");
    }

    @Test
    void anOwnerThatMissesItsTimeToLiveIsWithdrawnAndItsTermGivenUp() {
        leader("a", 3000, 7);
        play.at(1000).beats("a", 14_000).did("a leads with 7 for 3000");

        play.at(3999).did();
        play.at(4000).did("withdraws", "gives up 7");
        play.beats("a", 14_000).did("a is unknown");
    }

    @Test
    void aHeartbeatInTimeKeepsTheOwner() {
        leader("a", 3000, 7);
        play.at(1000).beats("a", 14_000).did("a leads with 7 for 3000");
        play.at(3900).beats("a", 14_000).did("a leads with 7 for 3000");

        play.at(6800).did();
        play.at(6900).did("withdraws", "gives up 7");
    }

    @Test
    void theAgentCountsFromItsAnswerAlsoIfItWasSentLate() {
        leader("a", 3000, 7);

        play.at(1000).hears("a").at(2400).answers("a", 14_000).did("a leads with 7 for 3000");

        play.at(5399).did();
        play.at(5400).did("withdraws", "gives up 7");
    }

    @Test
    void anOwnerThatWaitsForNewsIsHeardFromThenOn() {
        play.asks("a", 3000).did("a is in line", "stands");

        play.at(2900).hears("a").at(4000).answers("a", 0).did("a waits at 1");
    }

    @Test
    void anOwnersTimeToLiveBeginsAnewWithItsAnswer() {
        play.asks("a", 3000).did("a is in line", "stands");

        play.at(2900).hears("a").at(4000).answers("a", 0).did("a waits at 1");

        play.at(6999).did();
        play.at(7000).did("withdraws");
    }

    @Test
    void aTermWhoseOwnerHasStoppedIsGivenUpAtOnce() {
        leader("a", 3000, 7);
        play.at(1000).beats("a", 14_000).did("a leads with 7 for 3000");

        play.at(1500).stopped("a", 7).did("gives up 7");
        play.beats("a", 14_000).did("a waits at 1");
    }

    @Test
    void stoppedOfAnOlderTermGivesUpNothing() {
        leader("a", 3000, 7);
        play.at(500).stopped("a", 7).begins(8).did("gives up 7");

        play.at(1000).beats("a", 14_000).did("a leads with 8 for 3000");
        play.stopped("a", 7).did();
        play.beats("a", 14_000).did("a leads with 8 for 3000");
    }

    @Test
    void stoppedOfAnotherOwnerGivesUpNothing() {
        leader("a", 3000, 7);
        play.asks("b", 3000).did("b is in line");
        play.at(1000).beats("a", 14_000).did("a leads with 7 for 3000");

        play.stopped("b", 7).did();
    }

    @Test
    void anOwnerThatLeavesHasStopped() {
        leader("a", 3000, 7);
        play.at(1000).beats("a", 14_000).did("a leads with 7 for 3000");

        play.leaves("a").did("a is gone", "withdraws", "gives up 7");
        play.leaves("a").did("a is unknown");
    }

    @Test
    void aTermThatEndsIsGivenUpOnceItsSubLeaseHasPassed() {
        leader("a", 3000, 7);
        play.at(1000).beats("a", 14_000).did("a leads with 7 for 3000");

        play.at(1200).ends(7).did();
        assertThat(play.wakeAtMillis()).isEqualTo(4000);
        play.at(3900).beats("a", 14_000).did("a waits at 1, ended 7");
        play.at(3999).did();
        play.at(4000).did("gives up 7");
    }

    @Test
    void aTermThatEndsIsGivenUpAtOnceIfItsOwnerWasNeverTold() {
        leader("a", 3000, 7);

        play.at(500).ends(7).did("gives up 7");
    }

    @Test
    void nothingIsGrantedInATermThatEndsWhateverTheLeadershipSays() {
        leader("a", 3000, 7);
        play.at(1000).beats("a", 14_000).did("a leads with 7 for 3000");

        play.at(1100).ends(7).beats("a", 14_000).did("a waits at 1, ended 7");
        play.at(2000).beats("a", 14_000).did("a waits at 1, ended 7");
    }

    @Test
    void aLeadershipThatDidNotHoldOnceGrantsNothingLater() {
        leader("a", 3000, 7);
        play.at(1000).beats("a", 14_000).did("a leads with 7 for 3000");

        play.at(1100).beats("a", 0).did("a waits at 1, ended 7");
        play.at(1200).beats("a", 14_000).did("a waits at 1, ended 7");
    }

    @Test
    void aShortAnswerAfterALongOneDoesNotShortenTheSubLease() {
        leader("a", 3000, 7);
        play.at(1000).beats("a", 14_000).did("a leads with 7 for 3000");
        play.at(1100).beats("a", 500).did("a leads with 7 for 500");

        play.ends(7).at(3999).did();
        play.at(4000).did("gives up 7");
    }

    @Test
    void anEndOfAnOlderTermEndsNothing() {
        leader("a", 3000, 7);

        play.at(500).stopped("a", 7).begins(8).ends(7).did("gives up 7");
        play.beats("a", 14_000).did("a leads with 8 for 3000");
    }

    @Test
    void anAgentThatWasFrozenWithdrawsWhomItMissedBeforeItAnswers() {
        leader("a", 3000, 7);
        play.at(1000).beats("a", 14_000).did("a leads with 7 for 3000");

        play.frozenUntil(9000).beats("a", 14_000).did("withdraws", "gives up 7", "a is unknown");
    }

    private void leader(String id, long ttlMillis, long token) {
        play.asks(id, ttlMillis).begins(token).did(id + " is in line", "stands");
    }
}
