package dev.incumbent.protocol.operator;

import static dev.incumbent.protocol.operator.Play.ANN;
import static dev.incumbent.protocol.operator.Play.LEASE;
import static dev.incumbent.protocol.operator.Play.LED;
import static dev.incumbent.protocol.operator.Play.LEDGER;
import static dev.incumbent.protocol.operator.Play.VACANT;
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
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a freeze tells whoever waits for it, when it looks again, and why it names a sink open. */
class FreezeTellsTest {
    private static final MarkOwner ANNS = MarkOwner.ofCandidate(new CandidateId("ann"));
    private static final Duration BOUND = Duration.ofSeconds(30);
    private static final Duration MILLI = Duration.ofMillis(1);

    private Play play = freeze(true, "ledger.db");
    private LeaderRecord flagged = LED;

    @Test
    void eachStepIsToldAsASentenceAndOnce() {
        flag(LED);
        assertThat(play.told()).containsExactly("the flag is set, number 8, by me");
        assertThat(play.did())
                .contains(new OperatorEffect.WatchRecord(), new OperatorEffect.ReadMark(0))
                .hasSize(4);

        assertThat(play.reads(flagged).told()).containsExactly("ann@host-1-aa still leads term 7");
        assertThat(play.waits().reads(flagged).told()).isEmpty();
        assertThat(play.marked(0, LEDGER, mark(7, ANNS)).told()).isEmpty();
        assertThat(play.raised(0).told()).containsExactly("ledger.db is raised to 8 of freeze:me");

        LeaderRecord vacated = flagged.vacated(7, Instant.EPOCH);
        play.at(Duration.ofSeconds(3)).waits();
        assertThat(play.reads(vacated).told())
                .containsExactly("nobody leads on record after term 7", "quiet in 12000 ms");
        assertThat(play.waits().reads(vacated).told()).isEmpty();
    }

    @Test
    void whoDoesNotWaitForQuietIsNotToldWhenItIs() {
        play = freeze(false, "ledger.db");
        flag(LED);
        play.reads(flagged);

        play.waits().reads(flagged.vacated(7, Instant.EPOCH));

        assertThat(play.told()).containsExactly("nobody leads on record after term 7");
    }

    @Test
    void aSinkNamedOpenSaysWhatStoodInTheWay() {
        flag(VACANT);
        play.marked(0, LEDGER, mark(Long.MAX_VALUE, ANNS)).reads(flagged);
        assertThat(open()).containsExactly("ledger.db: there is no number above its mark");

        again(VACANT);
        play.marked(0, LEDGER, mark(7, ANNS)).reads(flagged);
        play.tell(new OperatorEvent.RaiseTooFar(0, mark(8, MarkOwner.ofFreeze("me")), 3));
        assertThat(open()).containsExactly("ledger.db: its mark is 3, too far below 8");

        again(VACANT);
        play.marked(0, LEDGER, mark(7, ANNS)).reads(flagged);
        play.tell(new OperatorEvent.RaiseUncertain(0, mark(8, MarkOwner.ofFreeze("me")), "timed out"));
        assertThat(openAtTheBound()).containsExactly("ledger.db: timed out");

        again(VACANT);
        play.marked(0, LEDGER, mark(40, ANNS));
        assertThat(openAtTheBound()).containsExactly("ledger.db: its mark is 40 of candidate:ann");
    }

    @Test
    void aSinkIsKnownByItsIdWhateverItIsCalled() {
        play = freeze(false, "a copy");
        flag(VACANT);

        play.reads(flagged).marked(0, LEDGER, mark(7, ANNS)).raised(0);

        assertThat(((Freezing.Frozen) play.outcome()).isClosed()).isTrue();
        assertThat(((Freezing.Frozen) play.outcome()).closed()).containsExactly("a copy");
    }

    @Test
    void onlyWhatWasRaisedIsCalledClosed() {
        flag(VACANT);

        play.reads(flagged).silent(0);

        assertThat(openAtTheBound()).containsExactly("ledger.db: no route");
        assertThat(((Freezing.Frozen) play.outcome()).closed()).isEmpty();
    }

    @Test
    void aSinkThatDoesNotAnswerIsAskedAgainASecondLaterAndNotBefore() {
        flag(LED);
        play.reads(flagged).silent(0);

        play.after(Duration.ofMillis(999));
        assertThat(play.did()).doesNotContain(new OperatorEffect.ReadMark(0));
        play.after(MILLI);
        assertThat(play.did()).contains(new OperatorEffect.ReadMark(0));
    }

    @Test
    void itLooksAgainAtTheVeryEndOfTheTimeForSinksForTheLeaderAndForQuiet() {
        for (Duration end : List.of(LEASE, BOUND, BOUND.plus(LEASE).plus(LEASE))) {
            play = freeze(true, "ledger.db");
            flag(LED);
            play.reads(flagged).marked(0, LEDGER, mark(7, ANNS)).raised(0);
            play.at(end.minus(MILLI.multipliedBy(10))).after(Duration.ZERO).reads(flagged);

            assertThat(play.after(MILLI.multipliedBy(9)).isReading())
                    .as("before %s", end)
                    .isFalse();
            assertThat(play.after(MILLI).isReading() || play.isOver())
                    .as("at %s", end)
                    .isTrue();
        }
    }

    @Test
    void aLeaderOnRecordIsWaitedForTwoLeasesBeyondTheTimeForSinks() {
        play = freeze(false);
        flag(LED.withSinks(Map.of()));
        play.reads(flagged);

        play.at(BOUND.plus(LEASE).plus(LEASE).minus(MILLI)).after(Duration.ZERO).reads(flagged);
        assertThat(play.isOver()).isFalse();
        play.after(MILLI);

        assertThat(((Freezing.Frozen) play.outcome()).leader()).contains(ANN);
    }

    @Test
    void theLongestLeaseCountsWhereverInTheHistoryItStands() {
        play = freeze(false);
        flag(VACANT.remembering(past(5, 60)).remembering(past(6, 20)).withSinks(Map.of()));

        play.reads(flagged);

        assertThat(((Freezing.Frozen) play.outcome()).untilQuiet()).isEqualTo(Duration.ofSeconds(60));
    }

    @Test
    void aCoordinatorThatFallsSilentIsAskedForHalfAMinuteAfterItsLastAnswer() {
        play.at(Duration.ofSeconds(20)).reads(LED).uncertain();

        play.at(Duration.ofSeconds(45)).waits().unanswered();
        assertThat(play.isOver()).isFalse();
        play.at(Duration.ofSeconds(50)).waits().unanswered();

        assertThat(play.outcome()).isEqualTo(new OperatorOutcome.Failed("no route", true, false));
    }

    @Test
    void afterTheFlagASilentCoordinatorIsAskedAgain() {
        flag(LED);

        assertThat(play.unanswered().isOver()).isFalse();
        assertThat(play.waits().isReading()).isTrue();
    }

    private static Play freeze(boolean untilQuiet, String... sinks) {
        return Play.of(OperatorProtocol.freeze("me", "split brain", List.of(sinks), BOUND, untilQuiet));
    }

    /** The flag is set in that record. */
    private void flag(LeaderRecord record) {
        flagged = play.reads(record).swap().next();
        play.accepted();
    }

    private void again(LeaderRecord record) {
        play = freeze(false, "ledger.db");
        flag(record);
    }

    private List<String> openAtTheBound() {
        play.at(BOUND).after(Duration.ZERO);
        if (!play.isOver()) {
            play.reads(flagged);
        }
        return open();
    }

    private List<String> open() {
        if (!play.isOver()) {
            play.at(LEASE.plus(BOUND)).after(Duration.ZERO);
        }
        return ((Freezing.Frozen) play.outcome())
                .open().stream().map(OpenSink::toString).toList();
    }

    private static PastTerm past(long number, int seconds) {
        return new PastTerm(number, ANN, Instant.EPOCH, Instant.EPOCH, EndReason.RESIGNED, Duration.ofSeconds(seconds));
    }
}
