package dev.incumbent.protocol.operator;

import static dev.incumbent.protocol.operator.Play.ANN;
import static dev.incumbent.protocol.operator.Play.AUDIT;
import static dev.incumbent.protocol.operator.Play.LEASE;
import static dev.incumbent.protocol.operator.Play.LED;
import static dev.incumbent.protocol.operator.Play.LEDGER;
import static dev.incumbent.protocol.operator.Play.VACANT;
import static dev.incumbent.protocol.operator.Play.frozen;
import static dev.incumbent.protocol.operator.Play.mark;
import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.model.CandidateId;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.model.PastTerm;
import dev.incumbent.outcome.Freezing;
import dev.incumbent.outcome.OpenSink;
import dev.incumbent.outcome.OperatorOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class FreezeTest {
    private static final MarkOwner ANNS = MarkOwner.ofCandidate(new CandidateId("ann@host-1-aa"));
    private static final MarkOwner MINE = MarkOwner.ofFreeze("me");
    private static final Duration BOUND = Duration.ofSeconds(30);

    private static Play freeze(boolean untilQuiet, String... sinks) {
        return Play.of(OperatorProtocol.freeze("me", "split brain", List.of(sinks), BOUND, untilQuiet));
    }

    private static LeaderRecord set(Play play) {
        return play.swap().next();
    }

    @Test
    void theFlagIsSetBeforeAnySinkIsAsked() {
        Play play = freeze(false, "ledger.db");

        play.reads(LED);

        assertThat(play.did()).hasSize(1);
        assertThat(set(play).freeze().orElseThrow().number()).isEqualTo(8);
        assertThat(set(play).leader()).contains(ANN);
    }

    @Test
    void aFreezeWritesAfreshAlsoWhereTheFlagIsSet() {
        Play play = freeze(false);
        LeaderRecord standing = frozen(VACANT, "other", 8);

        play.reads(standing);

        assertThat(set(play).nonce()).isNotEqualTo(standing.nonce());
        assertThat(set(play).freeze().orElseThrow().by()).isEqualTo("me");
        assertThat(set(play).freeze().orElseThrow().number()).isEqualTo(9);
    }

    @Test
    void everySinkIsRaisedToTheFlagsNumberUnderTheFreezesOwnName() {
        Play play = freeze(false, "ledger.db").reads(VACANT);
        LeaderRecord next = set(play);

        play.accepted().reads(next).marked(0, LEDGER, mark(7, ANNS));

        assertThat(play.raise(0)).isEqualTo(mark(8, MINE));
        assertThat(play.raised(0).outcome())
                .isEqualTo(new Freezing.Frozen(
                        next.freeze().orElseThrow(),
                        List.of("ledger.db"),
                        List.of(),
                        java.util.Optional.empty(),
                        LEASE));
    }

    @Test
    void whereAMarkIsAboveTheTermTheFlagIsSetAgainAboveTheMark() {
        Play play = freeze(false, "ledger.db").reads(VACANT);
        LeaderRecord first = set(play);

        play.accepted().marked(0, LEDGER, mark(40, ANNS)).reads(first);

        LeaderRecord second = set(play);
        assertThat(second.freeze().orElseThrow().number()).isEqualTo(41);
        assertThat(play.accepted().raise(0)).isEqualTo(mark(41, MINE));
    }

    @Test
    void aRaiseRefusedMeanwhileSetsTheFlagAgain() {
        Play play = freeze(false, "ledger.db").reads(VACANT);
        LeaderRecord first = set(play);
        play.accepted().reads(first).marked(0, LEDGER, mark(7, ANNS));

        play.tell(new OperatorEvent.RaiseRefused(0, play.raise(0), mark(9, ANNS)));

        play.reads(first);
        assertThat(set(play).freeze().orElseThrow().number()).isEqualTo(10);
    }

    @Test
    void aFreezePassesAFreeze() {
        Play play = freeze(false, "ledger.db").reads(frozen(VACANT, "other", 8));
        LeaderRecord next = set(play);

        play.accepted().reads(next).marked(0, LEDGER, mark(8, MarkOwner.ofFreeze("other")));

        assertThat(play.raise(0)).isEqualTo(mark(9, MINE));
    }

    @Test
    void aFreezeThatAThawOvertookRaisesNothingMore() {
        Play play = freeze(false, "ledger.db").reads(VACANT);
        LeaderRecord first = set(play);
        play.accepted().reads(first);
        play.marked(0, LEDGER, mark(9, MarkOwner.ofThaw("other", 7)));

        play.reads(VACANT.vacated(9, Instant.EPOCH).written("thawed"));

        assertThat(play.outcome()).isInstanceOf(Freezing.Undone.class);
        assertThat(play.did()).noneMatch(effect -> effect instanceof OperatorEffect.RaiseMark);
    }

    @Test
    void anUnansweredSwapIsSettledByReading() {
        Play play = freeze(false).reads(VACANT);
        LeaderRecord tried = set(play);

        play.uncertain().waits();

        assertThat(play.isReading()).isTrue();
        assertThat(play.reads(tried).isReading()).isTrue();
        assertThat(play.reads(tried).outcome()).isInstanceOf(Freezing.Frozen.class);
    }

    @Test
    void aRefusedSwapThatHadWonEarlierIsRecognised() {
        Play play = freeze(false).reads(VACANT);
        LeaderRecord tried = set(play);

        play.refused().reads(tried);

        assertThat(play.did()).noneMatch(effect -> effect instanceof OperatorEffect.SwapRecord);
    }

    @Test
    void aRefusedSwapIsMadeAgainOnWhatIsReadNow() {
        Play play = freeze(false).reads(LED);
        LeaderRecord vacated = VACANT.written("n1");

        play.refused().reads(vacated);

        assertThat(play.swap().expected().value()).isEqualTo("n1");
        assertThat(set(play).leader()).isEmpty();
    }

    @Test
    void aRecordedSinkThatWasNotGivenIsNamedOpen() {
        Play play = freeze(false).reads(VACANT);
        LeaderRecord next = set(play);

        play.accepted().reads(next);

        Freezing.Frozen frozen = (Freezing.Frozen) play.outcome();
        assertThat(frozen.isClosed()).isFalse();
        assertThat(frozen.open()).extracting(OpenSink::sink).containsExactly("ledger.db");
    }

    @Test
    void aSinkNotReachedIsAskedAgainUntilTheBoundAndThenNamedOpen() {
        Play play = freeze(false, "ledger.db").reads(VACANT);
        LeaderRecord next = set(play);
        play.accepted().reads(next).silent(0);

        play.waits();

        assertThat(play.did()).contains(new OperatorEffect.ReadMark(0));
        play.silent(0).at(BOUND).after(Duration.ofMillis(1));
        Freezing.Frozen frozen = (Freezing.Frozen) play.outcome();
        assertThat(frozen.open()).extracting(OpenSink::why).contains("no route");
    }

    @Test
    void aRaiseThatMayHaveLandedIsRecognisedByItsOwner() {
        Play play = freeze(false, "ledger.db").reads(VACANT);
        LeaderRecord next = set(play);
        play.accepted().reads(next).marked(0, LEDGER, mark(7, ANNS));
        play.tell(new OperatorEvent.RaiseUncertain(0, play.raise(0), "timed out"));

        play.waits().marked(0, LEDGER, mark(8, MINE));

        assertThat(((Freezing.Frozen) play.outcome()).closed()).containsExactly("ledger.db");
    }

    @Test
    void itReturnsOnceNobodyLeadsOnRecord() {
        Play play = freeze(false, "ledger.db").reads(LED);
        LeaderRecord flagged = set(play);
        play.accepted().reads(flagged).marked(0, LEDGER, mark(7, ANNS)).raised(0);
        assertThat(play.isOver()).isFalse();

        play.tell(new OperatorEvent.RecordWatched(Play.alive(flagged.vacated(7, Instant.EPOCH))));
        assertThat(play.isOver()).as("a watch only hints").isFalse();
        play.reads(flagged.vacated(7, Instant.EPOCH));

        assertThat(((Freezing.Frozen) play.outcome()).leader()).isEmpty();
    }

    @Test
    void closedIsNotQuiet() {
        Play play = freeze(true, "ledger.db").reads(LED);
        LeaderRecord flagged = set(play);
        LeaderRecord vacated = flagged.vacated(7, Instant.EPOCH).written("n9");
        play.accepted().reads(flagged).marked(0, LEDGER, mark(7, ANNS)).raised(0);

        play.at(Duration.ofSeconds(3)).waits().reads(vacated);

        assertThat(play.isOver()).isFalse();
        play.at(LEASE.minusMillis(1)).after(Duration.ofMillis(1));
        assertThat(((Freezing.Frozen) play.outcome()).isQuiet()).isTrue();
    }

    @Test
    void quietWaitsTheLongestLeaseOfTheLastTerms() {
        Duration longer = Duration.ofSeconds(60);
        LeaderRecord record =
                VACANT.remembering(new PastTerm(6, ANN, Instant.EPOCH, Instant.EPOCH, EndReason.SUPERSEDED, longer));
        Play play = freeze(false).reads(record);
        LeaderRecord flagged = set(play);

        play.accepted().reads(flagged);

        assertThat(((Freezing.Frozen) play.outcome()).untilQuiet()).isEqualTo(longer);
    }

    @Test
    void aLeaderThatNeverGoesIsNamedOnceTheTimeIsUp() {
        Play play = freeze(false).reads(LED.withSinks(java.util.Map.of()));
        LeaderRecord flagged = set(play);
        play.accepted().reads(flagged);

        play.at(BOUND.plus(LEASE).plus(LEASE)).after(Duration.ofMillis(1)).reads(flagged);

        Freezing.Frozen frozen = (Freezing.Frozen) play.outcome();
        assertThat(frozen.leader()).contains(ANN);
        assertThat(frozen.isQuiet()).isFalse();
    }

    @Test
    void aCoordinatorThatDoesNotAnswerTheFirstReadIsToldAtOnce() {
        Play play = freeze(false);

        play.unanswered();

        assertThat(play.outcome()).isEqualTo(new OperatorOutcome.Failed("no route", false, false));
    }

    @Test
    void aSinkThatWouldBeLiftedTooFarIsNamedOpen() {
        Play play = freeze(false, "ledger.db", "audit.db").reads(VACANT);
        LeaderRecord flagged = set(play);
        play.accepted().reads(flagged).marked(0, LEDGER, mark(7, ANNS)).raised(0);
        play.unmarked(1, AUDIT);

        play.tell(new OperatorEvent.RaiseTooFar(1, play.raise(1), 0));

        assertThat(((Freezing.Frozen) play.outcome()).open())
                .extracting(OpenSink::sink)
                .containsExactly("audit.db");
    }

    @Test
    void aMarkThatEqualsTheFlagsNumberSetsTheFlagAgainAboveIt() {
        Play play = freeze(false, "ledger.db").reads(VACANT);
        LeaderRecord first = set(play);

        play.accepted().marked(0, LEDGER, mark(8, ANNS)).reads(first);

        assertThat(set(play).freeze().orElseThrow().number()).isEqualTo(9);
    }

    @Test
    void aLongerLeaseThatIsSeenLaterIsWaitedForFromWhenTheFlagWasFirstSet() {
        Play play = freeze(false, "ledger.db").reads(VACANT);
        LeaderRecord first = set(play);
        LeaderRecord longer = first.remembering(
                new PastTerm(7, Play.ANN, Instant.EPOCH, Instant.EPOCH, EndReason.LEASE_LOST, LEASE.multipliedBy(4)));

        play.accepted()
                .marked(0, LEDGER, mark(40, ANNS))
                .at(Duration.ofSeconds(3))
                .reads(longer);
        LeaderRecord second = set(play);
        OperatorEvent raised = new OperatorEvent.MarkRaised(0, play.accepted().raise(0));
        play.reads(second).tell(raised);

        assertThat(((Freezing.Frozen) play.outcome()).untilQuiet())
                .isEqualTo(LEASE.multipliedBy(4).minusSeconds(3));
    }
}
