package dev.incumbent.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.ElectionListener;
import dev.incumbent.Trace;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Feature;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.model.SinkId;
import dev.incumbent.protocol.ElectionState;
import dev.incumbent.protocol.Notice;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What is told of a candidacy. */
class CandidacyViewTest {
    private static final SinkId LEDGER = new SinkId("ledger");

    private final OneThread platform = new OneThread();
    private final CandidacyView view = new CandidacyView(
            new ElectionName("job"),
            new Teller(ElectionListener.NONE, platform, new LeaseClock(platform.time), Trace.NONE));

    @Test
    void whoBringsOtherSinksThanTheRecordsIsToldWhichUntilThatIsOver() {
        view.told(new Notice.SinksMismatch(Set.of(LEDGER), Set.of()));
        assertThat(trouble())
                .isEqualTo(
                        "does not stand: the record requires the sink with id ledger, which this process does not guard:"
                                + " guard it, or retire it with incumbent fence retire job --sink-id ID");

        view.told(new Notice.SinksMismatch(Set.of(), Set.of(LEDGER)));
        assertThat(trouble())
                .isEqualTo("does not stand: this process guards the sink with id ledger, which was retired:"
                        + " guard it no more, or undo that with incumbent fence retire job --sink-id ID --undo");

        view.told(new Notice.SinksMismatch(Set.of(), Set.of()));
        assertThat(trouble()).isEmpty();
    }

    @Test
    void whoDoesNotKnowWhatTheRecordRequiresIsToldUntilThatIsOver() {
        view.told(new Notice.FeaturesUnknown(Set.of(new Feature("wings"))));
        assertThat(trouble())
                .isEqualTo("does not stand: the record requires features that this version does not know, [wings]");

        view.told(new Notice.FeaturesUnknown(Set.of()));
        assertThat(trouble()).isEmpty();
    }

    @Test
    void aSinkThatCannotBeRaisedAndTwoCoordinatorsAreTold() {
        view.told(new Notice.SinkUnraised(LEDGER, "cut off"));
        assertThat(trouble()).isEqualTo("sink ledger could not be raised: cut off");

        Mark met = new Mark(new FencingToken(7), MarkOwner.ofOperator("ann"));
        view.told(new Notice.TwoCoordinators(LEDGER, met));
        assertThat(trouble())
                .startsWith("two coordinators share sink ledger: three times within ten leases its mark, last ")
                .contains(met.toString());
    }

    @Test
    void whoWaitsForAStepIsToldAtTheFirstThatWillDoAndOnce() {
        List<ElectionState> told = new ArrayList<>();
        AtomicBoolean will = new AtomicBoolean();
        view.when(state -> will.get()).thenAccept(told::add);

        view.stepped(ElectionState.START, Optional.empty());
        assertThat(told).isEmpty();
        will.set(true);
        view.stepped(ElectionState.START, Optional.empty());
        view.stepped(ElectionState.START, Optional.empty());

        assertThat(told).containsExactly(ElectionState.START);
    }

    @Test
    void whoHasBeenToldIsAskedNoMore() {
        List<ElectionState> asked = new ArrayList<>();
        AtomicBoolean will = new AtomicBoolean();
        view.when(state -> asked.add(state) && will.get());
        will.set(true);
        view.stepped(ElectionState.START, Optional.empty());
        assertThat(asked).hasSize(2);

        view.stepped(ElectionState.START, Optional.empty());

        assertThat(asked).hasSize(2);
    }

    @Test
    void whoNeedNotWaitIsToldAtOnce() {
        CompletableFuture<ElectionState> told = view.when(state -> true).toCompletableFuture();

        assertThat(told).isCompletedWithValue(ElectionState.START);
    }

    private String trouble() {
        return view.health().trouble().orElse("");
    }
}
