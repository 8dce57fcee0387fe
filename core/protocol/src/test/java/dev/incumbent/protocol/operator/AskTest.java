package dev.incumbent.protocol.operator;

import static dev.incumbent.protocol.operator.Play.ANN;
import static dev.incumbent.protocol.operator.Play.AUDIT;
import static dev.incumbent.protocol.operator.Play.BOB;
import static dev.incumbent.protocol.operator.Play.LEASE;
import static dev.incumbent.protocol.operator.Play.LED;
import static dev.incumbent.protocol.operator.Play.LEDGER;
import static dev.incumbent.protocol.operator.Play.VACANT;
import static dev.incumbent.protocol.operator.Play.alive;
import static dev.incumbent.protocol.operator.Play.candidate;
import static dev.incumbent.protocol.operator.Play.enlisted;
import static dev.incumbent.protocol.operator.Play.frozen;
import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Request;
import dev.incumbent.outcome.OperatorOutcome;
import dev.incumbent.outcome.RequestedTransfer;
import dev.incumbent.outcome.Resignation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AskTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private static Play transfer(String to) {
        return Play.of(OperatorProtocol.transferTo("me", to, TIMEOUT));
    }

    private static Play resign() {
        return Play.of(OperatorProtocol.resign("me", TIMEOUT));
    }

    private static Play asked() {
        Play play = transfer("bob").reads(LED).lists(enlisted(ANN, LEDGER), enlisted(BOB, LEDGER));
        return play.accepted();
    }

    private static LeaderRecord led(long term, Candidate by) {
        return VACANT.claimedBy(term, by, new LeaseId("L-" + term), LEASE, Instant.EPOCH)
                .written("claim-" + term);
    }

    private static LeaderRecord asking() {
        return LED.withRequest(Optional.of(new Request.TransferTo("me", 7, BOB.id())))
                .written("asking");
    }

    @Test
    void aTransferNamesTheTermAndTheSuccessor() {
        Play play = transfer("bob").reads(LED);

        play.lists(enlisted(ANN, LEDGER), enlisted(BOB, LEDGER));

        assertThat(play.swap().next().request()).contains(new Request.TransferTo("me", 7, BOB.id()));
        assertThat(play.swap().next().leader()).contains(ANN);
    }

    @Test
    void anAmbiguousNameIsRefusedWithItsIds() {
        Candidate other = new Candidate(new CandidateId("bob@elsewhere-2-bb"), "bob", "");
        Play play = transfer("bob").reads(LED);

        play.lists(enlisted(ANN, LEDGER), enlisted(BOB, LEDGER), enlisted(other, LEDGER));

        assertThat(play.outcome()).isEqualTo(new RequestedTransfer.Ambiguous("bob", List.of(BOB.id(), other.id())));
    }

    @Test
    void anIdMeansItselfThoughItsNameIsAmbiguous() {
        Candidate other = new Candidate(new CandidateId("bob@elsewhere-2-bb"), "bob", "");
        Play play = transfer(other.id().value()).reads(LED);

        play.lists(enlisted(BOB, LEDGER), enlisted(other, LEDGER));

        assertThat(play.swap().next().request()).contains(new Request.TransferTo("me", 7, other.id()));
    }

    @Test
    void aSuccessorThatLacksASinkIsRefused() {
        Play play = transfer("bob").reads(LED);

        play.lists(enlisted(BOB, AUDIT));

        assertThat(((RequestedTransfer.Refused) play.outcome()).why()).contains("S-ledger");
    }

    @Test
    void aSuccessorThatBringsARetiredSinkIsRefused() {
        Play play = transfer("bob").reads(LED.withRetiredSinks(Set.of(AUDIT)));

        play.lists(enlisted(BOB, LEDGER, AUDIT));

        assertThat(((RequestedTransfer.Refused) play.outcome()).why()).contains("retired");
    }

    @Test
    void aSuccessorThatIsNotEnlistedIsRefused() {
        Play play = transfer("carol").reads(LED);

        play.lists(enlisted(ANN, LEDGER));

        assertThat(play.outcome()).isInstanceOf(RequestedTransfer.Refused.class);
    }

    @Test
    void aSuccessorThatLeadsAlreadyIsLeftAlone() {
        Play play = transfer("ann").reads(LED);

        play.lists(enlisted(ANN, LEDGER), enlisted(BOB, LEDGER));

        assertThat(play.outcome()).isEqualTo(new RequestedTransfer.LeadsAlready(7, ANN));
    }

    @Test
    void whereNobodyLeadsThereIsNobodyToAsk() {
        assertThat(transfer("bob").reads(VACANT).outcome()).isInstanceOf(RequestedTransfer.Refused.class);
        assertThat(resign().readsDead(LED).outcome()).isInstanceOf(Resignation.Refused.class);
        assertThat(resign().reads(frozen(LED, "frost", 8)).outcome()).isInstanceOf(Resignation.Refused.class);
    }

    @Test
    void aTransferReportsTheNewTermAndTheGapSeenFromHere() {
        Play play = asked();
        play.at(Duration.ofMillis(100)).tell(new OperatorEvent.RecordWatched(alive(VACANT)));
        play.reads(VACANT);
        play.at(Duration.ofMillis(130)).tell(new OperatorEvent.RecordWatched(alive(led(8, BOB))));

        play.reads(led(8, BOB));

        assertThat(play.outcome())
                .isEqualTo(new RequestedTransfer.Transferred(8, BOB, Optional.of(Duration.ofMillis(30))));
    }

    @Test
    void aVacancyTooShortToBeSeenHasNoGap() {
        Play play = asked();

        play.waits().reads(led(8, BOB));

        assertThat(play.outcome()).isEqualTo(new RequestedTransfer.Transferred(8, BOB, Optional.empty()));
    }

    @Test
    void anotherThanAskedForIsNamed() {
        Play play = asked();
        Candidate carol = candidate("carol");

        play.waits().reads(led(8, carol));

        assertThat(play.outcome()).isEqualTo(new RequestedTransfer.AnotherLeads(8, carol));
    }

    @Test
    void aRequestNotHeededInTimeIsTakenBackBySwap() {
        Play play = asked();

        play.at(TIMEOUT).waits().reads(asking());

        assertThat(play.swap().next().request()).isEmpty();
        assertThat(play.swap().next().leader()).contains(ANN);
        assertThat(play.accepted().outcome()).isInstanceOf(RequestedTransfer.TakenBack.class);
    }

    @Test
    void aTransferThatHappensWhileItIsTakenBackCounts() {
        Play play = asked().at(TIMEOUT).waits().reads(asking());

        play.refused().reads(led(8, BOB));

        assertThat(play.outcome()).isInstanceOf(RequestedTransfer.Transferred.class);
    }

    @Test
    void aLeaderThatDeclinesClearsTheRequestAndTheSameTermGoesOn() {
        Play play = asked();

        play.waits().reads(LED.written("declined"));

        assertThat(play.outcome())
                .isEqualTo(
                        new RequestedTransfer.TakenBack(
                                7,
                                ANN,
                                "the leader declined: its task would not stop in time, the successor was not alive, or it had not caught up (the leader's log tells the positions)"));
    }

    @Test
    void aWatchThatTellsWhatWasBeforeTheRequestDeclinesNothing() {
        Play play = asked();

        play.tell(new OperatorEvent.RecordWatched(alive(LED)));

        assertThat(play.isOver()).isFalse();
        assertThat(play.reads(asking()).isOver()).isFalse();
    }

    @Test
    void anUnansweredRequestIsRecognisedByItsId() {
        Play play = transfer("bob").reads(LED).lists(enlisted(BOB, LEDGER)).uncertain();

        play.waits().reads(asking());

        assertThat(play.did()).noneMatch(effect -> effect instanceof OperatorEffect.SwapRecord);
        assertThat(play.isOver()).isFalse();
    }

    @Test
    void anUnansweredRequestIsNeverPutToALaterLeader() {
        Play play = resign().reads(LED).uncertain();

        play.waits().reads(led(8, BOB));

        assertThat(play.outcome())
                .isEqualTo(
                        new Resignation.Resigned(7, ANN, Optional.of(new Resignation.Next(8, BOB, Optional.empty()))));
    }

    @Test
    void anAnswerToAnEarlierQuestionIsIgnored() {
        Play play = resign();
        play.reads(LED);

        play.tell(new OperatorEvent.RecordRead("me-1", alive(VACANT)));

        assertThat(play.isOver()).isFalse();
        assertThat(play.did()).isEmpty();
    }

    @Test
    void aVacancyThatLastsIsNamedOnceTheTimeIsUp() {
        Play play = asked();

        play.at(TIMEOUT).waits().reads(VACANT);

        assertThat(play.outcome()).isInstanceOf(RequestedTransfer.NobodyLeads.class);
    }

    @Test
    void aResignationIsDoneThoughNobodyElseStands() {
        Play play = resign().reads(LED).accepted().waits().reads(VACANT);

        play.waits().reads(VACANT).lists();

        assertThat(play.outcome()).isEqualTo(new Resignation.Resigned(7, ANN, Optional.empty()));
    }

    @Test
    void aCoordinatorThatFallsSilentIsToldOnceTheTimeIsUpAsPerhapsApplied() {
        Play play = asked().waits();
        while (!play.isOver()) {
            play.unanswered();
            if (!play.isOver()) {
                play.waits();
            }
        }

        assertThat(play.outcome()).isEqualTo(new OperatorOutcome.Failed("no route", true, false));
    }

    @Test
    void theSameLeaderInALaterTermIsAnother() {
        Play play = resign().reads(LED).accepted();

        play.waits().reads(led(8, ANN));

        assertThat(play.outcome())
                .isEqualTo(
                        new Resignation.Resigned(7, ANN, Optional.of(new Resignation.Next(8, ANN, Optional.empty()))));
    }

    @Test
    void aRequestOfSomebodyElseIsNotTakenBack() {
        Play play = asked();
        LeaderRecord others =
                LED.withRequest(Optional.of(new Request.Resign("other", 7))).written("others");

        play.after(TIMEOUT).reads(others);

        assertThat(play.did())
                .containsExactly(new OperatorEffect.Conclude(
                        new RequestedTransfer.TakenBack(7, ANN, "request other replaced it")));
    }

    @Test
    void aSecondResignationDoesNotEndTheFirstBeforeItsTermHasEnded() {
        Play play = resign().reads(LED).accepted();
        LeaderRecord others =
                LED.withRequest(Optional.of(new Request.Resign("other", 7))).written("others");

        play.waits().reads(others);
        assertThat(play.did()).isEmpty();
        play.waits().reads(led(8, BOB));

        assertThat(play.outcome())
                .isEqualTo(
                        new Resignation.Resigned(7, ANN, Optional.of(new Resignation.Next(8, BOB, Optional.empty()))));
    }

    @Test
    void aSecondTransferToTheSameSuccessorDoesNotEndTheFirstAndOneToAnotherDoes() {
        LeaderRecord toBob = LED.withRequest(Optional.of(new Request.TransferTo("other", 7, BOB.id())))
                .written("to bob");
        LeaderRecord toCarl = LED.withRequest(Optional.of(new Request.TransferTo("other", 7, new CandidateId("carl"))))
                .written("to carl");

        assertThat(asked().waits().reads(toBob).did()).isEmpty();
        assertThat(asked().waits().reads(toCarl).outcome())
                .isEqualTo(new RequestedTransfer.TakenBack(7, ANN, "request other replaced it"));
    }

    @Test
    void whoseRequestWasReplacedWaitsNoLongerThanItsOwnTime() {
        Play play = resign().reads(LED).accepted();
        LeaderRecord others =
                LED.withRequest(Optional.of(new Request.Resign("other", 7))).written("others");
        play.waits().reads(others);

        play.at(TIMEOUT).waits().reads(others);

        assertThat(play.outcome()).isEqualTo(new Resignation.TakenBack(7, ANN, "request other replaced it"));
    }

    @Test
    void aRequestThatIsRefusedOnceTheTimeIsUpIsNotSentAgain() {
        Play play = resign().reads(LED).at(TIMEOUT.plusSeconds(10));

        play.refused().reads(LED);

        assertThat(play.outcome())
                .isEqualTo(
                        new OperatorOutcome.Failed("the request could not be written, term 7 goes on", false, false));
    }

    @Test
    void aRequestIsNotPutIntoARecordThatWasFrozenMeanwhile() {
        Play play = resign().reads(LED);

        play.refused().reads(Play.frozen(LED, "carl", 9));

        assertThat(play.did())
                .containsExactly(new OperatorEffect.Conclude(new Resignation.TakenBack(7, ANN, "frozen by carl")));
    }

    @Test
    void aFreezeAfterTheTermEndsTheWaitForTheNext() {
        Play play = asked();

        play.waits().reads(Play.frozen(VACANT, "carl", 9));

        assertThat(play.outcome()).isEqualTo(new RequestedTransfer.NobodyLeads(7, "frozen by carl"));
    }
}
