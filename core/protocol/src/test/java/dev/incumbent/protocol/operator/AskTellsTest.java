package dev.incumbent.protocol.operator;

import static dev.incumbent.protocol.operator.Play.ANN;
import static dev.incumbent.protocol.operator.Play.BOB;
import static dev.incumbent.protocol.operator.Play.LEASE;
import static dev.incumbent.protocol.operator.Play.LED;
import static dev.incumbent.protocol.operator.Play.LEDGER;
import static dev.incumbent.protocol.operator.Play.VACANT;
import static dev.incumbent.protocol.operator.Play.alive;
import static dev.incumbent.protocol.operator.Play.enlisted;
import static dev.incumbent.protocol.operator.Play.frozen;
import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Request;
import dev.incumbent.outcome.OperatorOutcome;
import dev.incumbent.outcome.RequestedTransfer;
import dev.incumbent.outcome.Resignation;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a transfer and a resignation tell whoever waits for them, and when they look again. */
class AskTellsTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MILLI = Duration.ofMillis(1);
    private static final Resignation.Resigned RESIGNED = new Resignation.Resigned(7, ANN, Optional.empty());

    @Test
    void eachStepIsToldAsASentenceAndOnce() {
        Play transfer = Play.of(OperatorProtocol.transferTo("me", "bob", TIMEOUT));
        transfer.reads(LED).lists(enlisted(BOB, LEDGER)).accepted();
        assertThat(transfer.told())
                .containsExactly("asked ann@host-1-aa, the leader of term 7, to hand over to bob@host-1-aa");

        Play play = asked();
        assertThat(play.told()).containsExactly("asked ann@host-1-aa, the leader of term 7, to resign");
        assertThat(play.did()).contains(new OperatorEffect.WatchRecord()).hasSize(2);
        assertThat(play.waits().reads(asking()).did()).isEmpty();
        assertThat(play.waits().reads(VACANT).told()).containsExactly("nobody leads on record after term 7");
        assertThat(play.waits().reads(VACANT).told()).isEmpty();
    }

    @Test
    void itLooksAgainEverySecondAndAtTheVeryEndOfTheTime() {
        Play play = asked();

        assertThat(play.after(SECOND.minus(MILLI)).isReading()).isFalse();
        assertThat(play.after(MILLI).isReading()).isTrue();
        play.at(TIMEOUT.minus(MILLI)).reads(asking());
        assertThat(play.after(MILLI).isReading()).isTrue();
        assertThat(play.reads(asking()).swap().next().request()).isEmpty();
    }

    @Test
    void whatTheWatchTellsOrMissesIsReadAtOnce() {
        assertThat(asked().tell(new OperatorEvent.RecordWatched(alive(LED))).isReading())
                .isTrue();
        assertThat(asked().tell(new OperatorEvent.WatchBroken()).isReading()).isTrue();
    }

    @Test
    void whatTheWatchTellsWhileItReadsIsReadOnceMoreAfterwards() {
        Play play = asked().waits();

        assertThat(play.tell(new OperatorEvent.RecordWatched(alive(LED))).did()).isEmpty();
        assertThat(play.reads(asking()).isReading()).isTrue();
        assertThat(play.reads(asking()).did()).isEmpty();
    }

    @Test
    void theGapIsCountedFromWhatTheWatchSaw() {
        LeaderRecord led = claimed(8);
        Play play = asked();

        watched(play, 20, LeaderRecord.EMPTY.vacated(6, Instant.EPOCH).written("older"));
        watched(play, 50, LED);
        watched(play, 100, VACANT);
        play.at(Duration.ofMillis(120)).reads(VACANT);
        watched(play, 130, led);
        play.at(Duration.ofMillis(190)).reads(led);

        assertThat(play.outcome())
                .isEqualTo(new Resignation.Resigned(
                        7, ANN, Optional.of(new Resignation.Next(8, BOB, Optional.of(Duration.ofMillis(30))))));
    }

    @Test
    void aRefusedRequestIsSentAgainOnWhatIsReadNow() {
        Play play = resign().reads(LED).refused();

        play.reads(LED.written("n1"));

        assertThat(play.swap().expected().value()).isEqualTo("n1");
        assertThat(play.swap().next().request()).contains(new Request.Resign("me", 7));
        assertThat(play.isOver()).isFalse();
    }

    @Test
    void aRequestThatWasSeenToStandMayHaveApplied() {
        Play play = resign().reads(LED).refused().reads(asking());

        assertThat(play.told()).hasSize(1);
        assertThat(play.waits().unanswered().isOver()).isFalse();
    }

    @Test
    void aRequestThatIsGoneWhileItIsTakenBackWasTakenBack() {
        Play play = asked().at(TIMEOUT).after(Duration.ZERO).reads(asking());

        play.refused().reads(LED.written("n1"));

        assertThat(play.outcome()).isEqualTo(new Resignation.TakenBack(7, ANN, "it did not do so in time"));
    }

    @Test
    void aResignationEndsWhereTheElectionIsFrozenOrTheTimeIsUp() {
        assertThat(asked().waits().reads(frozen(VACANT, "carl", 9)).outcome()).isEqualTo(RESIGNED);
        assertThat(asked().at(TIMEOUT).waits().reads(VACANT).outcome()).isEqualTo(RESIGNED);
    }

    @Test
    void onlyAVacancyOfASecondMakesItAskWhoStands() {
        Play play = asked().waits().reads(VACANT);
        assertThat(play.did()).hasSize(1);

        play.after(SECOND).reads(VACANT);
        assertThat(play.did()).hasSize(1).first().isInstanceOf(OperatorEffect.ReadCandidates.class);
        assertThat(play.lists(enlisted(BOB, LEDGER)).isOver()).isFalse();
        assertThat(play.after(SECOND).isReading()).isTrue();
    }

    @Test
    void timeThatPassesBeforeTheFirstAnswerEndsNothing() {
        Play play = resign();

        assertThat(play.after(SECOND).did()).isEmpty();
        assertThat(play.isOver()).isFalse();
    }

    @Test
    void aCoordinatorThatCannotBeUsedEndsIt() {
        assertThat(resign().unusable().outcome()).isEqualTo(new OperatorOutcome.Failed("access denied", false, true));
        assertThat(asked().waits().unusable().outcome())
                .isEqualTo(new OperatorOutcome.Failed("access denied", true, true));
    }

    @Test
    void aLeaderThatIsNotListedLeadsAlreadyByItsNameAndByItsId() {
        for (String to : new String[] {"ann", ANN.id().value()}) {
            Play play = Play.of(OperatorProtocol.transferTo("me", to, TIMEOUT)).reads(LED);

            play.lists(enlisted(BOB, LEDGER));

            assertThat(play.outcome()).isEqualTo(new RequestedTransfer.LeadsAlready(7, ANN));
        }
    }

    @Test
    void whoAsksForNobodyIsToldWhoIsListed() {
        Play play = Play.of(OperatorProtocol.transferTo("me", "carol", TIMEOUT)).reads(LED);

        play.lists(enlisted(BOB, LEDGER));

        assertThat(((RequestedTransfer.Refused) play.outcome()).why()).contains("carol", "[bob@host-1-aa]");
    }

    private static Play resign() {
        return Play.of(OperatorProtocol.resign("me", TIMEOUT));
    }

    private static Play asked() {
        return resign().reads(LED).accepted();
    }

    private static void watched(Play play, long millis, LeaderRecord record) {
        play.at(Duration.ofMillis(millis)).tell(new OperatorEvent.RecordWatched(alive(record)));
    }

    private static LeaderRecord asking() {
        return LED.withRequest(Optional.of(new Request.Resign("me", 7))).written("asking");
    }

    private static LeaderRecord claimed(long term) {
        return VACANT.claimedBy(term, BOB, new LeaseId("L-" + term), LEASE, Instant.EPOCH)
                .written("claim-" + term);
    }
}
