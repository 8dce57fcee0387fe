package dev.incumbent.protocol.operator;

import static dev.incumbent.protocol.operator.Play.ANN;
import static dev.incumbent.protocol.operator.Play.BOB;
import static dev.incumbent.protocol.operator.Play.LED;
import static dev.incumbent.protocol.operator.Play.VACANT;
import static dev.incumbent.protocol.operator.Play.enlisted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.PlannedTransfer;
import dev.incumbent.outcome.OperatorOutcome;
import dev.incumbent.outcome.TransferPlan;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How a transfer is planned for later, and taken back. */
class PlanTest {
    private static final Instant THEN = Instant.EPOCH.plusSeconds(600);
    private static final PlannedTransfer MINE = new PlannedTransfer("me", "bob", THEN, Instant.EPOCH);
    private static final PlannedTransfer SAME = new PlannedTransfer("carl", "bob", THEN, Instant.EPOCH);
    private static final PlannedTransfer OTHER = new PlannedTransfer("carl", "bob", THEN.plusSeconds(1), Instant.EPOCH);

    @Test
    void aPlanIsSwappedInAndNothingElseChanges() {
        Play play = planning("bob").reads(LED).lists(enlisted(BOB));

        LeaderRecord next = play.swap().next();

        assertThat(next).isEqualTo(with(LED, MINE).written(next.nonce()));
        assertThat(play.isOver()).as("before the swap is answered").isFalse();
        assertThat(play.accepted().outcome()).isEqualTo(new TransferPlan.Planned(MINE, true, true));
    }

    @Test
    void nobodyNeedLeadOrBeThereYet() {
        Play vacant = planning("bob").reads(VACANT).lists();
        Play never = planning("bob").reads(LeaderRecord.EMPTY).lists();
        Play leads = planning("ann").reads(LED).lists();

        assertThat(vacant.accepted().outcome()).isEqualTo(new TransferPlan.Planned(MINE, true, false));
        assertThat(never.swap().next().planned()).contains(MINE);
        assertThat(leads.accepted().outcome())
                .isInstanceOfSatisfying(
                        TransferPlan.Planned.class,
                        planned -> assertThat(planned.stands()).isTrue());
    }

    @Test
    void aNameOfSeveralIsRefusedAndAnIdIsNot() {
        Candidate second = new Candidate(CandidateId.of("bob", "h2", 1, "aa"), "bob", "");

        Play many = planning("bob").reads(LED).lists(enlisted(BOB), enlisted(second));
        Play one = planning(second.id().value()).reads(LED).lists(enlisted(BOB), enlisted(second));

        assertThat(many.outcome()).isEqualTo(new TransferPlan.Ambiguous("bob", List.of(BOB.id(), second.id())));
        assertThat(one.swap().next().planned().orElseThrow().to())
                .isEqualTo(second.id().value());
    }

    @Test
    void aLeaderThatIsEnlistedIsCountedOnce() {
        assertThat(planning("ann").reads(LED).lists(enlisted(ANN)).swap().next().planned())
                .isPresent();
    }

    @Test
    void whatIsPlannedAlreadyStaysAndIsTold() {
        Play same = planning("bob").reads(with(LED, SAME));
        Play other = planning("bob").reads(with(LED, OTHER));

        assertThat(same.outcome()).isEqualTo(new TransferPlan.Planned(SAME, false, true));
        assertThat(other.outcome())
                .isEqualTo(new TransferPlan.Refused("a transfer to bob, not before 1970-01-01T00:10:01Z, is planned"
                        + " already, by carl: take it back first"));
        assertThat(other.did()).as("no swap").hasSize(1);
    }

    @Test
    void aTimeThatHasPassedOrIsMoreThanAYearAheadIsRefused() {
        assertThat(planningAt(Instant.EPOCH).reads(LED).outcome())
                .isEqualTo(
                        new TransferPlan.Refused("1970-01-01T00:00:00Z has passed here, it is 1970-01-01T00:00:00Z"));
        assertThat(planningAt(Instant.EPOCH.plus(Duration.ofDays(366)).plusMillis(1))
                        .reads(LED)
                        .outcome())
                .isEqualTo(new TransferPlan.Refused("1971-01-02T00:00:00.001Z is more than 366 days ahead"));
        assertThat(planningAt(Instant.EPOCH.plus(Duration.ofDays(366)))
                        .reads(LED)
                        .isOver())
                .isFalse();
    }

    @Test
    void anUnansweredSwapIsSettledByReading() {
        Play landed = planning("bob").reads(LED).lists(enlisted(BOB)).uncertain();
        Play lost = planning("bob").reads(LED).lists(enlisted(BOB)).uncertain();
        Play beaten = planning("bob").reads(LED).lists(enlisted(BOB)).uncertain();

        assertThat(landed.waits().reads(with(LED, MINE)).outcome())
                .isEqualTo(new TransferPlan.Planned(MINE, true, true));
        assertThat(lost.waits().reads(LED).lists(enlisted(BOB)).swap().next().planned())
                .contains(MINE);
        assertThat(beaten.waits().reads(with(LED, OTHER)).outcome()).isInstanceOf(TransferPlan.Refused.class);
    }

    @Test
    void whatIsTakenBackIsTold() {
        Play play = cancelling().reads(with(LED, OTHER));

        LeaderRecord next = play.swap().next();

        assertThat(next).isEqualTo(LED.written(next.nonce()));
        assertThat(play.accepted().outcome()).isEqualTo(new TransferPlan.Cancelled(Optional.of(OTHER)));
        assertThat(cancelling().reads(LED).outcome()).isEqualTo(new TransferPlan.Cancelled(Optional.empty()));
        assertThat(cancelling()
                        .reads(with(LED, OTHER))
                        .uncertain()
                        .waits()
                        .reads(LED)
                        .outcome())
                .isEqualTo(new TransferPlan.Cancelled(Optional.of(OTHER)));
    }

    @Test
    void aRecordThatKeepsChangingIsGivenUpAfterTenSeconds() {
        Play play = planning("bob").reads(LED).lists(enlisted(BOB));

        play.at(Duration.ofSeconds(10).minusNanos(1)).refused().reads(LED.written("n1"));
        assertThat(play.isOver()).isFalse();
        play.lists(enlisted(BOB)).at(Duration.ofSeconds(10)).refused().reads(LED.written("n2"));

        assertThat(play.outcome()).isEqualTo(new OperatorOutcome.Failed("the record kept changing", false, false));
    }

    @Test
    void whatIsNoNameNorIdIsRefusedAtOnce() {
        assertThatThrownBy(() -> OperatorProtocol.planTransfer("me", "b b", THEN))
                .hasMessageContaining("has a blank or control character at position 2");
    }

    private static Play planning(String successor) {
        return Play.of(OperatorProtocol.planTransfer("me", successor, THEN));
    }

    private static Play planningAt(Instant time) {
        return Play.of(OperatorProtocol.planTransfer("me", "bob", time));
    }

    private static Play cancelling() {
        return Play.of(OperatorProtocol.cancelTransfer("me"));
    }

    private static LeaderRecord with(LeaderRecord record, PlannedTransfer plan) {
        return record.withPlanned(Optional.of(plan));
    }
}
