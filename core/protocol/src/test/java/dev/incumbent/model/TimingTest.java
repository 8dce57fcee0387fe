package dev.incumbent.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimingTest {
    private static final Duration ZERO = Duration.ZERO;
    private static final Duration NANO = Duration.ofNanos(1);

    @Test
    void aLeaseIsValidForLessThanItsLengthByTwiceTheDriftAndTheMargin() {
        Timing timing = new Timing(seconds(15), seconds(1), seconds(1), ZERO, ZERO, 0.25, seconds(2));

        assertThat(timing.validFor()).isEqualTo(seconds(7));
        assertThat(timing.validFor(seconds(20))).isEqualTo(seconds(10));
    }

    @Test
    void aTaskStopsForTheStopBudgetAndTheKillReserve() {
        Timing timing = Timing.ofLease(seconds(30), seconds(5), seconds(2));

        assertThat(timing.stopLead()).isEqualTo(seconds(7));
    }

    @Test
    void allElseIsInProportionToTheLease() {
        Timing timing = Timing.ofLease(seconds(12));

        assertThat(timing)
                .isEqualTo(new Timing(
                        seconds(12),
                        seconds(4),
                        Duration.ofMillis(1_500),
                        seconds(4),
                        ZERO,
                        Timing.DRIFT_BOUND,
                        Timing.MARGIN));
    }

    @Test
    void aLongLeaseHasNoLongerRequestTimeoutAndStopBudget() {
        Timing timing = Timing.ofLease(seconds(60));

        assertThat(timing.requestTimeout()).isEqualTo(seconds(2));
        assertThat(timing.stopBudget()).isEqualTo(seconds(5));
        assertThat(timing.renewEvery()).isEqualTo(seconds(20));
    }

    @Test
    void theLastNanosecondThatFitsIsSafeAndTheNextIsNot() {
        Duration renewEvery = seconds(5);
        Timing tight = new Timing(seconds(12), renewEvery, seconds(1), seconds(2), seconds(2), 0, seconds(1));

        assertThat(tight.unsafeOn(seconds(12))).isEmpty();
        assertThat(tight.unsafeOn(seconds(12).minus(NANO))).startsWith("unsafe timing: ");
        assertThatThrownBy(() -> new Timing(seconds(12), seconds(6), seconds(1), seconds(2), seconds(2), 0, seconds(1)))
                .hasMessage("unsafe timing: renewEvery 6000 ms + 2 * requestTimeout 1000 ms = 8000 ms, but a lease of"
                        + " 12000 ms is valid for 11000 ms, less killReserve 2000 ms and stopBudget 2000 ms leaves"
                        + " 7000 ms");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1})
    void theLeaseItsRenewalAndARequestTakeMoreThanNothing(long nanos) {
        Duration none = Duration.ofNanos(nanos);

        assertThatThrownBy(() -> new Timing(none, seconds(1), seconds(1), ZERO, ZERO, 0, ZERO))
                .hasMessage("lease is above zero, this one is " + none.toMillis() + " ms");
        assertThatThrownBy(() -> new Timing(seconds(9), none, seconds(1), ZERO, ZERO, 0, ZERO))
                .hasMessageStartingWith("renewEvery is above zero");
        assertThatThrownBy(() -> new Timing(seconds(9), seconds(1), none, ZERO, ZERO, 0, ZERO))
                .hasMessageStartingWith("requestTimeout is above zero");
        assertThatThrownBy(() -> Timing.ofLease(none, ZERO, ZERO)).hasMessageStartingWith("lease is above zero");
    }

    @Test
    void allOthersTakeNothingOrMore() {
        Duration less = NANO.negated();

        assertThatThrownBy(() -> new Timing(seconds(9), seconds(1), seconds(1), less, ZERO, 0, ZERO))
                .hasMessageStartingWith("stopBudget is at least zero");
        assertThatThrownBy(() -> new Timing(seconds(9), seconds(1), seconds(1), ZERO, less, 0, ZERO))
                .hasMessageStartingWith("killReserve is at least zero");
    }

    @Test
    void aMarginThatClocksMayHideInIsRefused() {
        Timing least = new Timing(seconds(6), seconds(1), seconds(1), ZERO, ZERO, 0, Timing.LEAST_MARGIN);
        Duration less = Timing.LEAST_MARGIN.minus(NANO);

        assertThat(least.validFor()).isEqualTo(Duration.ofMillis(5_960));
        assertThatThrownBy(() -> new Timing(seconds(6), seconds(1), seconds(1), ZERO, ZERO, 0, less))
                .hasMessageStartingWith("margin is at least 40 ms");
        assertThatThrownBy(() -> new Timing(seconds(6), seconds(1), seconds(1), ZERO, ZERO, 0, ZERO))
                .hasMessage(
                        "margin is at least 40 ms, since clocks that differ by less are not told apart; this one is 0 ms");
    }

    @Test
    void aClockErrsByAtLeastNothingAndByLessThanAll() {
        Timing timing = Timing.ofLease(seconds(15));

        assertThat(timing.withDriftBound(0).driftBound()).isZero();
        assertThatThrownBy(() -> timing.withDriftBound(1))
                .hasMessage("driftBound is at least 0 and below 1, this one is 1.0");
        assertThatThrownBy(() -> timing.withDriftBound(-0.001)).hasMessageStartingWith("driftBound is at least 0");
        assertThatThrownBy(() -> timing.withDriftBound(Double.NaN)).hasMessageStartingWith("driftBound is at least 0");
        assertThatThrownBy(() -> timing.withDriftBound(0.5)).hasMessageStartingWith("unsafe timing: ");
    }

    private static Duration seconds(long count) {
        return Duration.ofSeconds(count);
    }
}
