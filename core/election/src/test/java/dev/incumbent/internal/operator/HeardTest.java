package dev.incumbent.internal.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.fence.Raise;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import dev.incumbent.protocol.operator.OperatorEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** An answer is told as what it is. */
class HeardTest {
    private static final Mark MINE = new Mark(new FencingToken(3), MarkOwner.ofOperator("ann"));
    private static final Mark OTHER = new Mark(new FencingToken(7), MarkOwner.ofOperator("bob"));

    @Test
    void aReading() {
        ObservedRecord found = new ObservedRecord(LeaderRecord.EMPTY, new Revision("7"), false, Optional.empty());

        assertThat(Heard.reading("q", Optional.of(new Reading.Found(found))))
                .isEqualTo(new OperatorEvent.RecordRead("q", found));
        assertThat(Heard.reading("q", Optional.of(new Reading.Absent())))
                .isEqualTo(new OperatorEvent.RecordRead("q", ObservedRecord.ABSENT));
        assertThat(Heard.reading("q", Optional.of(new Reading.Unread("locked"))))
                .isEqualTo(new OperatorEvent.Unanswered("q", "locked"));
        assertThat(Heard.reading("q", Optional.of(new Reading.Foreign(new Revision("8"), "of version 9"))))
                .isEqualTo(new OperatorEvent.Unusable("q", "of version 9"));
        assertThat(Heard.reading("q", Optional.empty()))
                .isEqualTo(new OperatorEvent.Unanswered("q", "the coordinator left the election out of its answer"));
    }

    @Test
    void aReadThatFailed() {
        assertThat(Heard.failedRead("q", new CoordinatorException("cut off", false)))
                .isEqualTo(new OperatorEvent.Unanswered("q", "cut off"));
        assertThat(Heard.failedRead("q", new CompletionException(new CoordinatorUnusableException("no rights"))))
                .isEqualTo(new OperatorEvent.Unusable("q", "no rights"));
        assertThat(Heard.failedRead("q", new IllegalStateException()))
                .isEqualTo(new OperatorEvent.Unanswered("q", "java.lang.IllegalStateException"));
        assertThat(Heard.why(new CompletionException("bare", null))).isEqualTo("bare");
    }

    @Test
    void aSwap() {
        assertThat(Heard.swapped("n", new Swap.Accepted(new Revision("8"))))
                .isEqualTo(new OperatorEvent.SwapAccepted("n"));
        assertThat(Heard.swapped("n", new Swap.Refused(Optional.empty())))
                .isEqualTo(new OperatorEvent.SwapRefused("n"));
        assertThat(Heard.failedSwap("n", new CoordinatorException("late", true)))
                .isEqualTo(new OperatorEvent.SwapUncertain("n", "late"));
        assertThat(Heard.failedSwap("n", new CoordinatorException("refused", false)))
                .isEqualTo(new OperatorEvent.Unanswered("n", "refused"));
        assertThat(Heard.failedSwap("n", new IllegalStateException("who knows")))
                .isEqualTo(new OperatorEvent.SwapUncertain("n", "who knows"));
    }

    @Test
    void aRaise() {
        assertThat(Heard.raised(1, MINE, new Raise.Raised(MINE))).isEqualTo(new OperatorEvent.MarkRaised(1, MINE));
        assertThat(Heard.raised(1, MINE, new Raise.Refused(OTHER)))
                .isEqualTo(new OperatorEvent.RaiseRefused(1, MINE, OTHER));
        assertThat(Heard.raised(1, MINE, new Raise.TooFar(7))).isEqualTo(new OperatorEvent.RaiseTooFar(1, MINE, 7));
    }

    @Test
    void whatAWatchTellsIsAHint() {
        List<OperatorEvent> hints = new ArrayList<>();
        Hints watcher = new Hints(hints::add);

        watcher.changed(ObservedRecord.ABSENT);
        watcher.gap();
        watcher.currentAsOf(5);

        assertThat(hints)
                .containsExactly(
                        new OperatorEvent.RecordWatched(ObservedRecord.ABSENT), new OperatorEvent.WatchBroken());
    }
}
