package dev.incumbent.coordinator.tck;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

/** The bound is one second and a slack of 100 ms; a machine that stands still does so in the first sleep. */
class PunctualityTest {
    private long nanos;
    private Duration standstill = Duration.ZERO;

    @Test
    void whatComesInTimeIsInTimeHoweverLongTheMachineStoodStill() {
        assertThatCode(comesAfter(900, 800)).doesNotThrowAnyException();
    }

    @Test
    void theSlackIsInTime() {
        assertThatCode(comesAfter(1_090, 0)).doesNotThrowAnyException();
    }

    @Test
    void whatComesLateIsLateWhereTheMachineRan() {
        assertThatThrownBy(comesAfter(1_300, 0))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("it came within");
    }

    @Test
    void whatIsLateByLessThanTheMachineStoodStillIsNotJudged() {
        assertThatThrownBy(comesAfter(1_300, 301))
                .isInstanceOf(TestAbortedException.class)
                .hasMessage(
                        "machine too slow to judge: it came after PT1.296S instead of PT1.1S, and the machine stood still for PT0.3S of that");
    }

    @Test
    void whatIsLateByMoreThanTheMachineStoodStillIsLate() {
        assertThatThrownBy(comesAfter(1_300, 101))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("it came within");
    }

    @Test
    void sleepsThatAreUsuallyLateAreNoStandstill() {
        assertThatThrownBy(() -> new Punctuality(() -> nanos, this::lateByTheUsual, Duration.ZERO)
                        .within(Duration.ofSeconds(1), () -> "it", () -> nanos > 1_100_000_000))
                .isInstanceOf(AssertionError.class);
    }

    private ThrowingCallable comesAfter(long millis, long standstillMillis) {
        standstill = Duration.ofMillis(standstillMillis);
        return () -> new Punctuality(() -> nanos, this::sleep, Duration.ofMillis(100))
                .within(Duration.ofSeconds(1), () -> "it", () -> nanos >= millis * 1_000_000);
    }

    private void sleep(Duration length) {
        nanos += length.plus(standstill).toNanos();
        standstill = Duration.ZERO;
    }

    private void lateByTheUsual(Duration length) {
        nanos += length.toNanos() + 900_000;
    }
}
