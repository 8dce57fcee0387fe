package dev.incumbent.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class TakeoverTest {
    private static final long DUE = millis(10_000);

    private final Pretended pretended = new Pretended();
    private final Takeover takeover = new Takeover(pretended, () -> pretended.now);

    private static long millis(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }

    private long waitAt(long nowMillis) {
        pretended.now = millis(nowMillis);
        return takeover.untilNextLook(DUE);
    }

    @Test
    void aDeadlineThatIsFarAwayNeitherMeasuresNorAsks() {
        assertThat(waitAt(5_000)).isEqualTo(millis(3_000));
        assertThat(pretended.measurements).isZero();
        assertThat(pretended.questions).isZero();
    }

    @Test
    void aSupervisorThatDoesNotAnswerIsTakenOverAsMuchEarlierAsItCosts() {
        pretended.cost = millis(400);

        assertThat(waitAt(8_000)).isEqualTo(millis(1_500));
        assertThat(pretended.questions).isZero();
        assertThat(waitAt(9_500)).isEqualTo(millis(100));
        assertThat(pretended.questions).isOne();
        assertThat(waitAt(9_599)).isEqualTo(millis(1));
        assertThat(waitAt(9_600)).isZero();
        assertThat(pretended.questions).isOne();
        assertThat(pretended.measurements).isOne();
    }

    @Test
    void aSupervisorThatAnswersHasItsWholeTime() {
        pretended.cost = millis(400);
        waitAt(9_500);
        pretended.answered = true;

        assertThat(waitAt(9_600)).isEqualTo(millis(400));
        assertThat(waitAt(10_000)).isZero();
    }

    @Test
    void whoAsksLateStillWaitsForTheAnswerButNotBeyondTheDeadline() {
        pretended.cost = millis(400);

        assertThat(waitAt(9_700)).isEqualTo(millis(100));
        assertThat(pretended.questions).isOne();
    }

    @Test
    void whoAsksAtTheLastMomentWaitsForTheDeadlineAlone() {
        pretended.cost = millis(400);

        assertThat(waitAt(9_950)).isEqualTo(millis(50));
        assertThat(waitAt(10_000)).isZero();
    }

    @Test
    void aRenewalBeginsAnew() {
        pretended.cost = millis(400);
        waitAt(9_500);

        assertThat(takeover.untilNextLook(DUE + millis(5_000))).isEqualTo(millis(3_500));
        pretended.now = DUE + millis(4_500);
        pretended.answered = false;
        assertThat(takeover.untilNextLook(DUE + millis(5_000))).isEqualTo(millis(100));
        assertThat(pretended.questions).isEqualTo(2);
        assertThat(pretended.measurements).isEqualTo(2);
    }

    private static final class Pretended implements Takeover.Watched {
        private long now;
        private long cost;
        private boolean answered;
        private int questions;
        private int measurements;

        @Override
        public boolean isOver() {
            return false;
        }

        @Override
        public OptionalLong overdueAt() {
            return OptionalLong.of(DUE);
        }

        @Override
        public void ask() {
            questions++;
        }

        @Override
        public boolean hasAnswered() {
            return answered;
        }

        @Override
        public void rehearse() {}

        @Override
        public long costNanos() {
            measurements++;
            return cost;
        }

        @Override
        public void takeOver() {}
    }
}
