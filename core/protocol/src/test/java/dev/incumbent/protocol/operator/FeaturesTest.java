package dev.incumbent.protocol.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.model.CandidateId;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.Feature;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A record that requires what an operator's version does not know is read and not written. */
class FeaturesTest {
    private static final Duration TIME = Duration.ofSeconds(30);
    private static final Feature SEAL = new Feature("seal");
    private static final Set<Feature> NEEDS = Set.of(SEAL, new Feature("tide"));
    private static final String SENTENCE =
            "the record requires features that this version does not know, [seal, tide]: it may read it and not write it; use a version that knows them";

    static List<OperatorState> operationsOnALedRecord() {
        return List.of(
                OperatorProtocol.resign("ops-1", TIME),
                OperatorProtocol.freeze("ops-1", "why", List.of("ledger"), TIME, false),
                OperatorProtocol.cordon("ops-1", "h1", "why"),
                OperatorProtocol.retireSink("ops-1", Play.LEDGER));
    }

    @ParameterizedTest
    @MethodSource("operationsOnALedRecord")
    void anOperatorThatDoesNotKnowWhatIsRequiredWritesNothingAndSaysSo(OperatorState operation) {
        LeaderRecord record = Play.LED.withRequires(NEEDS);

        Play play = Play.of(operation).reads(record);

        assertThat(play.did()).containsExactly(new OperatorEffect.Conclude(failed(false)));
    }

    @Test
    void aTransferIsNotAskedOfALeaderWhoseRecordRequiresWhatIsUnknown() {
        LeaderRecord record = Play.LED.withRequires(NEEDS);
        Enlisted bob = new Enlisted(Play.BOB, new LeaseId("L-bob"), Instant.EPOCH, Set.of(Play.LEDGER), NEEDS);

        Play play = Play.of(OperatorProtocol.transferTo("ops-1", "bob", TIME))
                .reads(record)
                .lists(bob);

        assertThat(play.did()).containsExactly(new OperatorEffect.Conclude(failed(false)));
    }

    @Test
    void aThawRaisesNoSinkOfARecordThatRequiresWhatIsUnknown() {
        LeaderRecord record = Play.frozen(Play.VACANT, "carl", 9).withRequires(NEEDS);

        Play play = Play.of(OperatorProtocol.thaw("ops-1", List.of("ledger"), TIME))
                .unmarked(0, Play.LEDGER)
                .reads(record);

        assertThat(play.did()).containsExactly(new OperatorEffect.Conclude(failed(false)));
    }

    @Test
    void aRequestIsNotTakenBackFromARecordThatCameToRequireWhatIsUnknownAndThatIsToldAsWritten() {
        Play play =
                Play.of(OperatorProtocol.resign("ops-1", TIME)).reads(Play.LED).accepted();
        LeaderRecord asked = Play.LED
                .withRequest(Optional.of(new Request.Resign("ops-1", 7)))
                .withRequires(NEEDS);

        play.after(TIME).reads(asked);

        assertThat(play.did()).containsExactly(new OperatorEffect.Conclude(failed(true)));
    }

    @Test
    void anOperationThatOnlyWaitsIsEndedByNothingThatIsUnknown() {
        Play play =
                Play.of(OperatorProtocol.resign("ops-1", TIME)).reads(Play.LED).accepted();
        LeaderRecord next = Play.VACANT
                .claimedBy(8, Play.BOB, new LeaseId("L-bob"), Play.LEASE, Instant.EPOCH)
                .withRequires(NEEDS);

        play.waits().reads(next);

        assertThat(play.outcome())
                .isEqualTo(new Resignation.Resigned(
                        7, Play.ANN, Optional.of(new Resignation.Next(8, Play.BOB, Optional.empty()))));
    }

    @Test
    void anOperatorThatKnowsWhatIsRequiredWritesAndKeepsIt() {
        LeaderRecord record = Play.LED.withRequires(NEEDS);

        Play play = Play.of(OperatorProtocol.resign("ops-1", TIME), NEEDS).reads(record);

        assertThat(play.swap().next())
                .isEqualTo(record.withRequest(Optional.of(new Request.Resign("ops-1", 7)))
                        .written("ops-1-2"));
    }

    @Test
    void oneUnknownAmongKnownIsNamedAlone() {
        LeaderRecord record = Play.LED.withRequires(NEEDS);

        Play play =
                Play.of(OperatorProtocol.resign("ops-1", TIME), Set.of(SEAL)).reads(record);

        assertThat(play.outcome())
                .isEqualTo(new OperatorOutcome.Failed(SENTENCE.replace("[seal, tide]", "[tide]"), false, true));
    }

    @Test
    void aSuccessorThatDoesNotKnowWhatIsRequiredIsRefused() {
        LeaderRecord record = Play.LED.withRequires(NEEDS);
        Enlisted bob = new Enlisted(Play.BOB, new LeaseId("L-bob"), Instant.EPOCH, Set.of(Play.LEDGER), Set.of(SEAL));

        Play play = Play.of(OperatorProtocol.transferTo("ops-1", "bob", TIME), NEEDS)
                .reads(record)
                .lists(bob);

        assertThat(play.outcome())
                .isEqualTo(new RequestedTransfer.Refused(new CandidateId("bob@host-1-aa")
                        + " does not know the features that the record requires, [tide]"));
    }

    private static OperatorOutcome failed(boolean mayHaveApplied) {
        return new OperatorOutcome.Failed(SENTENCE, mayHaveApplied, true);
    }
}
