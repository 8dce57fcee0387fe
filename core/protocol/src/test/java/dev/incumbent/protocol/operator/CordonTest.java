package dev.incumbent.protocol.operator;

import static dev.incumbent.protocol.operator.Play.LED;
import static dev.incumbent.protocol.operator.Play.VACANT;
import static dev.incumbent.protocol.operator.Play.frozen;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.model.Cordon;
import dev.incumbent.model.Cordons;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.outcome.Cordoning;
import dev.incumbent.outcome.OperatorOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How a cordon is set and taken back. */
class CordonTest {
    private static final Cordon MINE = new Cordon("h1", "me", "new disk", Instant.EPOCH);
    private static final Cordon OTHER = new Cordon("h1", "carl", "old disk", Instant.EPOCH);
    private static final Cordon SECOND = new Cordon("h2", "carl", "", Instant.EPOCH);

    @Test
    void aCordonIsSwappedInAndNothingElseChanges() {
        LeaderRecord record = with(frozen(LED, "frost", 8), SECOND);
        Play play = cordoning();

        LeaderRecord next = play.reads(record).swap().next();

        assertThat(next).isEqualTo(with(record, MINE, SECOND).written(next.nonce()));
        assertThat(play.isOver()).as("before the swap is answered").isFalse();
        assertThat(play.accepted().outcome()).isEqualTo(new Cordoning.Cordoned(MINE, true));
    }

    @Test
    void anElectionThatWasNeverWrittenCanBeCordoned() {
        assertThat(cordoning().reads(LeaderRecord.EMPTY).swap().next().cordons().all())
                .containsExactly(MINE);
    }

    @Test
    void aCordonThatStandsStaysAndIsTold() {
        Play play = cordoning().reads(with(LED, OTHER));

        assertThat(play.outcome()).isEqualTo(new Cordoning.Cordoned(OTHER, false));
        assertThat(play.did()).as("no swap").hasSize(1);
    }

    @Test
    void anotherCordonThatMeansTheSameCandidateIsNoReasonToRefuse() {
        Cordon byName = new Cordon("ann", "carl", "", Instant.EPOCH);

        assertThat(cordoning().reads(with(LED, byName)).swap().next().cordons().all())
                .containsExactly(byName, MINE);
    }

    @Test
    void theThirtyThirdIsRefusedInOneSentence() {
        Cordons full = Cordons.of(IntStream.range(0, 32)
                .mapToObj(i -> new Cordon("n" + i, "carl", "", Instant.EPOCH))
                .toList());

        Play play = cordoning().reads(LED.withCordons(full));

        assertThat(play.outcome())
                .isEqualTo(new Cordoning.Full("a record has at most 32 cordons, with this one it has 33"));
        assertThat(play.did()).as("no swap").hasSize(1);
        assertThat(Play.of(OperatorProtocol.uncordon("me", "n3"))
                        .reads(LED.withCordons(full))
                        .swap()
                        .next()
                        .cordons()
                        .all())
                .as("taken back from a full record")
                .hasSize(31);
    }

    @Test
    void anUncordonTakesExactlyThatOneOut() {
        Play play = uncordoning();

        LeaderRecord next = play.reads(with(VACANT, OTHER, SECOND)).swap().next();

        assertThat(next).isEqualTo(with(VACANT, SECOND).written(next.nonce()));
        assertThat(play.accepted().outcome()).isEqualTo(new Cordoning.Uncordoned("h1", true));
    }

    @Test
    void whatIsNotCordonedNeedsNoUncordon() {
        assertThat(uncordoning().reads(with(LED, SECOND)).outcome()).isEqualTo(new Cordoning.Uncordoned("h1", false));
    }

    @Test
    void anUnansweredSwapIsSettledByReading() {
        Play landed = cordoning().reads(LED).uncertain();
        Play beaten = cordoning().reads(LED).uncertain();
        Play lost = cordoning().reads(LED).uncertain();
        Play lifted = uncordoning().reads(with(LED, OTHER)).uncertain();

        assertThat(landed.waits().reads(with(LED, MINE)).outcome()).isEqualTo(new Cordoning.Cordoned(MINE, true));
        assertThat(beaten.waits().reads(with(LED, OTHER)).outcome()).isEqualTo(new Cordoning.Cordoned(OTHER, false));
        assertThat(lost.waits().reads(LED).swap().next().cordons().all()).containsExactly(MINE);
        assertThat(lifted.waits().reads(LED).outcome()).isEqualTo(new Cordoning.Uncordoned("h1", true));
    }

    @Test
    void itsTimeIsThatOfItsBeginning() {
        Play play = cordoning().reads(LED).after(Duration.ofSeconds(3)).refused();

        assertThat(play.reads(LED.written("n1")).swap().next().cordons().all())
                .extracting(Cordon::at)
                .containsExactly(Instant.EPOCH);
    }

    @Test
    void aRecordThatKeepsChangingIsGivenUpAfterTenSeconds() {
        Play play = cordoning().reads(LED);

        play.at(Duration.ofSeconds(10).minusNanos(1)).refused().reads(LED.written("n1"));
        assertThat(play.isOver()).isFalse();
        play.at(Duration.ofSeconds(10)).refused().reads(LED.written("n2"));

        assertThat(play.outcome()).isEqualTo(new OperatorOutcome.Failed("the record kept changing", false, false));
    }

    @Test
    void whatIsNoHostNorNameNorIdIsRefusedAtOnce() {
        assertThatThrownBy(() -> OperatorProtocol.cordon("me", "h 1", ""))
                .hasMessage("who is cordoned 'h 1' has a blank or control character at position 2");
        assertThatThrownBy(() -> OperatorProtocol.uncordon("me", ""))
                .hasMessage("who is cordoned has 1 to 512 characters, this one has 0");
    }

    private static Play cordoning() {
        return Play.of(OperatorProtocol.cordon("me", "h1", "new disk"));
    }

    private static Play uncordoning() {
        return Play.of(OperatorProtocol.uncordon("me", "h1"));
    }

    private static LeaderRecord with(LeaderRecord record, Cordon... cordons) {
        return record.withCordons(Cordons.of(List.of(cordons)));
    }
}
