package dev.incumbent.protocol.operator;

import static dev.incumbent.protocol.operator.Play.LED;
import static dev.incumbent.protocol.operator.Play.LEDGER;
import static dev.incumbent.protocol.operator.Play.VACANT;
import static dev.incumbent.protocol.operator.Play.frozen;
import static dev.incumbent.protocol.operator.Play.mark;
import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.model.CandidateId;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.outcome.OperatorOutcome;
import dev.incumbent.outcome.Thaw;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a thaw tells whoever waits for it, why it refuses, and when it and a retirement give up. */
class ThawTellsTest {
    private static final MarkOwner FREEZE = MarkOwner.ofFreeze("frost");
    private static final LeaderRecord FROZEN = frozen(VACANT, "frost", 8);
    private static final Duration BOUND = Duration.ofSeconds(30);

    @Test
    void eachSinkIsToldAsASentence() {
        Play play = raising();

        play.tell(new OperatorEvent.RaiseUncertain(0, play.raise(0), "timed out"));
        assertThat(play.told()).containsExactly("ledger.db: timed out");
        assertThat(play.waits().raised(0).told()).containsExactly("ledger.db is raised to 9 of thaw:8:me");
    }

    @Test
    void aSinkThatWasNotRaisedSaysWhy() {
        Play refused = raising();
        refused.tell(new OperatorEvent.RaiseRefused(0, refused.raise(0), mark(10, FREEZE)));
        assertThat(open(refused))
                .isEqualTo(
                        "ledger.db: its mark is 10 of freeze:frost by now: a freeze or another thaw came in between");

        Play tooFar = raising();
        tooFar.tell(new OperatorEvent.RaiseTooFar(0, tooFar.raise(0), 3));
        assertThat(open(tooFar)).isEqualTo("ledger.db: its mark is 3, too far below 9");

        Play late = raising();
        OperatorEvent uncertain = new OperatorEvent.RaiseUncertain(0, late.raise(0), "timed out");
        late.at(BOUND).tell(uncertain);
        assertThat(open(late)).isEqualTo("ledger.db: timed out");
    }

    @Test
    void thereMustBeANumberAboveTheMarks() {
        Play play = thaw().marked(0, LEDGER, mark(Long.MAX_VALUE, FREEZE));

        assertThat(play.reads(FROZEN).outcome()).isEqualTo(new Thaw.Refused("there is no number above the marks"));
    }

    @Test
    void whereTheRecordIsNotFrozenOnlyTheMarksOfAFreezeStandInTheWay() {
        MarkOwner leader = MarkOwner.ofCandidate(new CandidateId("ann"));

        assertThat(thaw().marked(0, LEDGER, mark(7, leader)).reads(VACANT).outcome())
                .isEqualTo(new Thaw.NotFrozen());
        assertThat(thaw().unmarked(0, LEDGER).reads(VACANT).outcome()).isEqualTo(new Thaw.NotFrozen());
        assertThat(thaw().marked(0, LEDGER, mark(8, FREEZE)).reads(VACANT).outcome())
                .isInstanceOf(Thaw.Refused.class);
    }

    @Test
    void aFreezeThatCameMeanwhileIsNamed() {
        Play play = raising().raised(0);

        play.refused().reads(frozen(VACANT, "later", 10).written("n1"));

        assertThat(play.outcome())
                .isEqualTo(
                        new Thaw.Refused("the record changed meanwhile: frozen by later; look again, then thaw again"));
    }

    @Test
    void aCoordinatorThatFallsSilentIsAskedUntilTheTimeIsUp() {
        Play play = raising().raised(0).uncertain();

        while (!play.isOver()) {
            play.waits().unanswered();
        }

        assertThat(play.outcome()).isEqualTo(new OperatorOutcome.Failed("no route", true, false));
    }

    @Test
    void aRecordThatKeepsChangingIsGivenUpAfterTenSeconds() {
        Play play = Play.of(OperatorProtocol.retireSink("me", LEDGER)).reads(LED);

        play.at(Duration.ofSeconds(10).minusNanos(1)).refused().reads(LED.written("n1"));
        assertThat(play.isOver()).isFalse();
        play.at(Duration.ofSeconds(10)).refused().reads(LED.written("n2"));

        assertThat(play.outcome()).isEqualTo(new OperatorOutcome.Failed("the record kept changing", false, false));
    }

    private static Play thaw() {
        return Play.of(OperatorProtocol.thaw("me", List.of("ledger.db"), BOUND));
    }

    private static Play raising() {
        return thaw().marked(0, LEDGER, mark(8, FREEZE)).reads(FROZEN);
    }

    private static String open(Play play) {
        return ((Thaw.NotRaised) play.outcome()).sinks().get(0).toString();
    }
}
