package dev.incumbent.protocol.operator;

import static dev.incumbent.protocol.operator.Play.ANN;
import static dev.incumbent.protocol.operator.Play.LEASE;
import static dev.incumbent.protocol.operator.Play.LED;
import static dev.incumbent.protocol.operator.Play.LEDGER;
import static dev.incumbent.protocol.operator.Play.VACANT;
import static dev.incumbent.protocol.operator.Play.mark;
import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.model.CandidateId;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.outcome.Freezing;
import dev.incumbent.outcome.OpenSink;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When a freeze ends that does not get all it asks for, and what it tells then. */
class FreezeEndsTest {
    private static final Mark ANNS = mark(7, MarkOwner.ofCandidate(new CandidateId("ann@host-1-aa")));
    private static final Duration BOUND = Duration.ofMillis(1_500);

    private final Play play = Play.of(OperatorProtocol.freeze("me", "split brain", List.of("other-url"), BOUND, false));

    @Test
    void aLeaderThatNeverGoesIsWaitedForNoLongerThanTwoLeases() {
        LeaderRecord flagged = flagged(LED);
        play.reads(flagged).marked(0, LEDGER, ANNS).raised(0);

        Duration end = BOUND.plus(LEASE).plus(LEASE);
        while (play.passed().compareTo(end) < 0 && !play.isOver()) {
            play.waits().reads(flagged);
        }

        assertThat(play.passed()).isEqualTo(end);
        assertThat(frozen().leader()).contains(ANN);
    }

    @Test
    void aLeaderWhoseLeaseIsDeadLeadsNoMore() {
        LeaderRecord flagged = flagged(LED);

        play.marked(0, LEDGER, ANNS).raised(0).readsDead(flagged);

        assertThat(frozen().leader()).isEmpty();
    }

    @Test
    void aCoordinatorThatIsSilentForLongerThanTwoShortLeasesIsAskedAgain() {
        Duration shortest = Duration.ofMillis(300);
        LeaderRecord flagged = flagged(VACANT.claimedBy(7, ANN, LED.lease().orElseThrow(), shortest, Instant.EPOCH));
        play.marked(0, LEDGER, ANNS).raised(0);

        while (play.passed().compareTo(BOUND.plusSeconds(2)) < 0) {
            play.unanswered().waits();
            assertThat(play.isReading()).isTrue();
        }

        play.reads(flagged.vacated(7, Instant.EPOCH));
        assertThat(frozen().closed()).containsExactly("other-url");
    }

    @Test
    void aMarkAboveTheFlagsThatIsToldOnceTimeIsUpDoesNotSetTheFlagAgain() {
        LeaderRecord flagged = flagged(LED);
        play.reads(flagged);

        play.at(BOUND).marked(0, LEDGER, mark(40, ANNS.owner())).reads(flagged);

        assertThat(play.did()).doesNotHaveAnyElementsOfTypes(OperatorEffect.SwapRecord.class);
        play.after(Duration.ofSeconds(1)).reads(flagged.vacated(7, Instant.EPOCH));
        assertThat(frozen().open())
                .containsExactly(new OpenSink("other-url", "its mark is 40 of candidate:ann@host-1-aa"));
    }

    /** Not once more as a sink of the record that was not given, although it is recorded under another label. */
    @Test
    void aSinkThatCannotBeRaisedIsToldOpenOnce() {
        LeaderRecord flagged = flagged(VACANT);
        play.marked(0, LEDGER, ANNS);

        play.tell(new OperatorEvent.RaiseTooFar(0, play.raise(0), 7)).reads(flagged);

        assertThat(frozen().open()).containsExactly(new OpenSink("other-url", "its mark is 7, too far below 8"));
    }

    @Test
    void aSinkWhoseRaiseIsNotAnsweredIsToldOpenOnce() {
        LeaderRecord flagged = flagged(VACANT);
        play.marked(0, LEDGER, ANNS);

        play.at(BOUND)
                .tell(new OperatorEvent.RaiseUncertain(0, play.raise(0), "timed out"))
                .reads(flagged);

        assertThat(frozen().open()).containsExactly(new OpenSink("other-url", "timed out"));
    }

    @Test
    void onceItHasEndedItIsNotWokenAnyMore() {
        LeaderRecord flagged = flagged(VACANT);

        play.marked(0, LEDGER, ANNS).raised(0).reads(flagged);

        assertThat(frozen().isClosed()).isTrue();
        assertThat(play.isToBeWoken()).isFalse();
        assertThat(play.after(Duration.ofSeconds(1)).isToBeWoken()).isFalse();
    }

    /** The record with the flag that this freeze has set. */
    private LeaderRecord flagged(LeaderRecord before) {
        LeaderRecord flagged = play.reads(before).swap().next();
        play.accepted();
        return flagged;
    }

    private Freezing.Frozen frozen() {
        return (Freezing.Frozen) play.outcome();
    }
}
