package dev.incumbent.lab.world;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.model.CandidateId;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What is measured is measured rightly. */
class MeterTest {
    @Test
    void secondsWithSeveralBelieversAndWithNoneAreAddedUp() {
        BeliefMeter meter = new BeliefMeter(2);

        meter.believes(0, 10, 30);
        meter.believes(1, 25, Long.MAX_VALUE);
        meter.believes(1, 40, Long.MIN_VALUE);
        meter.count(50);

        assertThat(meter.none()).isEqualTo(10 + 10);
        assertThat(meter.several()).isEqualTo(5);
    }

    /** The first leader writes a and b, its successor c and d; then the first comes late, and the second writes on. */
    @Test
    void aWriteOfALeaderThatIsLateLosesWhatItDidNotKnow() {
        SharedSink sink = new SharedSink();
        SharedSink.Known first = write(sink, 1, write(sink, 1, sink.read(1)));
        SharedSink.Known second = write(sink, 2, write(sink, 2, sink.read(2)));
        assertThat(sink.lost()).isZero();

        write(sink, 1, first);
        write(sink, 2, second);

        assertThat(sink.lost()).isEqualTo(2 + 1);
        assertThat(sink.stale()).isEqualTo(1);
        assertThat(sink.lostThoughFenced()).isZero();
        assertThat(sink.staleThoughFenced()).isZero();
    }

    /** The mark is raised before the second leader reads. */
    private static SharedSink.Known write(SharedSink sink, long reign, SharedSink.Known known) {
        sink.raise(new Mark(new FencingToken(reign), MarkOwner.ofCandidate(new CandidateId("leader-" + reign))));
        return sink.write(reign, OptionalLong.of(reign), known).known();
    }
}
