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

    /** Two leaders write by turns, a1 b1 a2 b2 a3 b3: each but the last is overwritten, and is lost once. */
    @Test
    void aWriteIsLostOnceHoweverLongTwoLeadersQuarrel() {
        WriteChain chain = new WriteChain();
        WriteChain.Version first = chain.read();
        WriteChain.Version second = first;

        for (int turn = 0; turn < 3; turn++) {
            first = chain.write(1, first, false);
            second = chain.write(2, second, false);
        }
        assertThat(chain.lost()).isEqualTo(5);

        chain.write(3, WriteChain.START, false);
        assertThat(chain.lost()).isEqualTo(5 + 1);
    }

    /** What all but the third leader know is lost when the third overwrites it, whatever was lost above it before. */
    @Test
    void whatWasKnownToBothOfAQuarrelIsLostToAThird() {
        WriteChain chain = new WriteChain();
        WriteChain.Version shared = chain.write(1, chain.read(), false);
        WriteChain.Version second = chain.write(2, shared, false);
        chain.write(1, shared, false);
        chain.write(2, second, false);
        assertThat(chain.lost()).isEqualTo(2);

        chain.write(3, WriteChain.START, false);

        assertThat(chain.lost()).isEqualTo(2 + 2);
    }

    @Test
    void aReadThatArrivesAfterItsReignMakesNoWriteStale() {
        SharedSink sink = new SharedSink();
        SharedSink.Known first = sink.read(1);
        sink.over(2);
        sink.read(2);

        sink.write(1, OptionalLong.empty(), first);

        assertThat(sink.stale()).isZero();
    }

    /** The mark is raised before the second leader reads. */
    private static SharedSink.Known write(SharedSink sink, long reign, SharedSink.Known known) {
        sink.raise(new Mark(new FencingToken(reign), MarkOwner.ofCandidate(new CandidateId("leader-" + reign))));
        return sink.write(reign, OptionalLong.of(reign), known).known();
    }
}
