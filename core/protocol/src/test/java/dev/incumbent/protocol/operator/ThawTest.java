package dev.incumbent.protocol.operator;

import static dev.incumbent.protocol.operator.Play.ANN;
import static dev.incumbent.protocol.operator.Play.AUDIT;
import static dev.incumbent.protocol.operator.Play.LED;
import static dev.incumbent.protocol.operator.Play.LEDGER;
import static dev.incumbent.protocol.operator.Play.VACANT;
import static dev.incumbent.protocol.operator.Play.frozen;
import static dev.incumbent.protocol.operator.Play.mark;
import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.model.PastTerm;
import dev.incumbent.model.Request;
import dev.incumbent.outcome.OpenSink;
import dev.incumbent.outcome.Thaw;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ThawTest {
    private static final MarkOwner FREEZE = MarkOwner.ofFreeze("frost");
    private static final LeaderRecord FROZEN = frozen(VACANT, "frost", 8);
    private static final Duration BOUND = Duration.ofSeconds(30);

    private static Play thaw(String... sinks) {
        return Play.of(OperatorProtocol.thaw("me", List.of(sinks), BOUND));
    }

    @Test
    void theMarksAreReadBeforeTheRecord() {
        Play play = thaw("ledger.db");

        assertThat(play.did()).containsExactly(new OperatorEffect.ReadMark(0));
        assertThat(play.marked(0, LEDGER, mark(8, FREEZE)).isReading()).isTrue();
    }

    @Test
    void everySinkIsRaisedToOneNumberOnConditionOfTheMarkThatWasReadThere() {
        Play play = thaw("ledger.db", "audit.db");
        play.marked(0, LEDGER, mark(8, FREEZE)).marked(1, AUDIT, mark(12, FREEZE));

        play.reads(FROZEN);

        assertThat(play.raise(0)).isEqualTo(mark(13, MarkOwner.ofThaw("me", 8)));
        assertThat(play.raise(1)).isEqualTo(mark(13, MarkOwner.ofThaw("me", 12)));
    }

    @Test
    void theNumberIsAboveTheFreezesOwnThoughNoSinkHasReachedIt() {
        Play play = thaw("ledger.db").marked(0, LEDGER, mark(7, MarkOwner.ofCandidate(ANN.id())));

        play.reads(frozen(VACANT, "frost", 20));

        assertThat(play.raise(0).token().value()).isEqualTo(21);
    }

    @Test
    void theFlagIsClearedOnlyOnceEverySinkIsRaised() {
        Play play = thaw("ledger.db", "audit.db");
        play.marked(0, LEDGER, mark(8, FREEZE))
                .marked(1, AUDIT, mark(8, FREEZE))
                .reads(FROZEN);
        OperatorEvent second = new OperatorEvent.MarkRaised(1, play.raise(1));

        play.raised(0);

        assertThat(play.did()).noneMatch(effect -> effect instanceof OperatorEffect.SwapRecord);
        LeaderRecord next = play.tell(second).swap().next();
        assertThat(next.isFrozen()).isFalse();
        assertThat(next.term()).isEqualTo(9);
        assertThat(play.accepted().outcome()).isEqualTo(new Thaw.Thawed(9));
    }

    @Test
    void aRaiseRefusedEndsTheThawAndTheFlagStays() {
        Play play = thaw("ledger.db").marked(0, LEDGER, mark(8, FREEZE)).reads(FROZEN);

        play.tell(new OperatorEvent.RaiseRefused(0, play.raise(0), mark(10, MarkOwner.ofFreeze("later"))));

        assertThat(play.outcome()).isInstanceOf(Thaw.NotRaised.class);
    }

    @Test
    void aFreezeThatCameAfterTheRecordWasReadStands() {
        Play play = thaw("ledger.db")
                .marked(0, LEDGER, mark(8, FREEZE))
                .reads(FROZEN)
                .raised(0);

        play.refused().reads(frozen(VACANT, "later", 10).written("n1"));

        assertThat(play.outcome()).isInstanceOf(Thaw.Refused.class);
    }

    @Test
    void anUnansweredSwapIsSentAgainWhileTheRecordIsTheSame() {
        Play play = thaw("ledger.db")
                .marked(0, LEDGER, mark(8, FREEZE))
                .reads(FROZEN)
                .raised(0);
        String first = play.swap().next().nonce();

        play.uncertain().waits().reads(FROZEN);

        assertThat(play.swap().expected().value()).isEqualTo("n0");
        assertThat(play.swap().next().nonce()).isNotEqualTo(first);
    }

    @Test
    void anUnansweredSwapThatLandedIsRecognisedThoughSomeoneLeadsAlready() {
        Play play = thaw("ledger.db")
                .marked(0, LEDGER, mark(8, FREEZE))
                .reads(FROZEN)
                .raised(0);

        play.uncertain().waits().reads(LED.vacated(10, Instant.EPOCH));

        assertThat(play.outcome()).isEqualTo(new Thaw.Thawed(10));
    }

    @Test
    void nothingIsDoneWhileTheRecordHasALiveLeader() {
        Play play = thaw("ledger.db").marked(0, LEDGER, mark(8, FREEZE));

        play.reads(frozen(LED, "frost", 8));

        assertThat(play.outcome()).isInstanceOf(Thaw.Refused.class);
    }

    @Test
    void aLeaderWhoseLeaseIsDeadGoesIntoTheHistory() {
        Play play = thaw("ledger.db").marked(0, LEDGER, mark(8, FREEZE)).readsDead(frozen(LED, "frost", 8));

        LeaderRecord next = play.raised(0).swap().next();

        assertThat(next.leader()).isEmpty();
        assertThat(next.history()).extracting(PastTerm::number).containsExactly(7L);
    }

    @Test
    void nothingIsDoneUnlessEveryRecordedSinkWasGiven() {
        Play play = thaw("ledger.db").marked(0, LEDGER, mark(8, FREEZE));

        play.reads(FROZEN.withSinks(Map.of(LEDGER, "ledger.db", AUDIT, "audit.db")));

        assertThat(((Thaw.NotRead) play.outcome()).sinks())
                .extracting(OpenSink::sink)
                .containsExactly("audit.db");
    }

    @Test
    void nothingIsDoneUnlessEverySinkCouldBeRead() {
        Play play = thaw("ledger.db", "audit.db");

        play.marked(0, LEDGER, mark(8, FREEZE)).silent(1);

        assertThat(((Thaw.NotRead) play.outcome()).sinks()).containsExactly(new OpenSink("audit.db", "no route"));
    }

    @Test
    void aRaiseNotAnsweredIsRepeatedByTheMarkThatWasRead() {
        Play play = thaw("ledger.db").marked(0, LEDGER, mark(8, FREEZE)).reads(FROZEN);
        play.tell(new OperatorEvent.RaiseUncertain(0, play.raise(0), "timed out"));

        play.waits();

        assertThat(play.raise(0)).isEqualTo(mark(9, MarkOwner.ofThaw("me", 8)));
    }

    @Test
    void aSinkThatNeverAnswersItsRaiseKeepsTheFlag() {
        Play play = thaw("ledger.db").marked(0, LEDGER, mark(8, FREEZE)).reads(FROZEN);

        play.at(BOUND).tell(new OperatorEvent.RaiseUncertain(0, play.raise(0), "timed out"));

        assertThat(play.outcome()).isEqualTo(new Thaw.NotRaised(List.of(new OpenSink("ledger.db", "timed out"))));
    }

    @Test
    void aThawThatDiedIsRunAgainOverItsOwnMarks() {
        Play play = thaw("ledger.db", "audit.db");
        play.marked(0, LEDGER, mark(9, MarkOwner.ofThaw("died", 8))).marked(1, AUDIT, mark(8, FREEZE));

        play.reads(FROZEN);

        assertThat(play.raise(0)).isEqualTo(mark(10, MarkOwner.ofThaw("me", 9)));
        assertThat(play.raise(1)).isEqualTo(mark(10, MarkOwner.ofThaw("me", 8)));
    }

    @Test
    void anElectionThatIsNotFrozenIsLeftAlone() {
        Play play = thaw();

        play.reads(VACANT);

        assertThat(play.outcome()).isEqualTo(new Thaw.NotFrozen());
    }

    @Test
    void aFreezeThatOnlyTheSinksRememberIsTold() {
        Play play = thaw("ledger.db").marked(0, LEDGER, mark(8, FREEZE));

        play.reads(VACANT);

        assertThat(((Thaw.Refused) play.outcome()).why()).contains("ledger.db");
    }

    @Test
    void theNumberIsAboveTheTermAlso() {
        Play play = thaw("ledger.db").marked(0, LEDGER, mark(7, MarkOwner.ofCandidate(ANN.id())));
        LeaderRecord late = frozen(VACANT, "frost", 8).vacated(30, Instant.EPOCH);

        play.reads(late);

        assertThat(play.raise(0)).isEqualTo(mark(31, MarkOwner.ofThaw("me", 7)));
    }

    @Test
    void aThawClearsTheRequest() {
        LeaderRecord asked = FROZEN.withRequest(Optional.of(new Request.Resign("r", 7)));

        Play play = thaw("ledger.db")
                .marked(0, LEDGER, mark(8, FREEZE))
                .reads(asked)
                .raised(0);

        assertThat(play.swap().next().request()).isEmpty();
    }

    @Test
    void aSinkWhoseRaiseIsUncertainIsNotTakenForRaised() {
        Play play = thaw("ledger.db", "audit.db");
        play.marked(0, LEDGER, mark(8, FREEZE))
                .marked(1, AUDIT, mark(8, FREEZE))
                .reads(FROZEN);
        OperatorEvent second = new OperatorEvent.MarkRaised(1, play.raise(1));

        play.tell(new OperatorEvent.RaiseUncertain(0, play.raise(0), "timed out"))
                .tell(second);

        assertThat(play.did()).noneMatch(effect -> effect instanceof OperatorEffect.SwapRecord);
        assertThat(play.isOver()).isFalse();
    }
}
