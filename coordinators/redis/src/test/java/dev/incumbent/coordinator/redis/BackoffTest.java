package dev.incumbent.coordinator.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BackoffTest {
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    /** With half of the longest wait as the chance of the draw. */
    @ParameterizedTest
    @CsvSource({
        "100, 0, 10000, 50",
        "100, 1, 10000, 100",
        "100, 3, 10000, 400",
        "100, 6, 100000, 3200",
        "100, 60, 100000, 3200",
        "0, 0, 10000, 1",
        "1, 2, 10000, 4",
        "100, 3, 400, 50",
        "100, 0, 40, 5"
    })
    void waitsUpToItsOwnRoundDoubledByEachTryAndAQuarterOfWhatIsLeft(
            long roundMillis, int attempt, long leftMillis, long waitMillis) {
        Backoff backoff = new Backoff(() -> 0.5);

        assertThat(backoff.afterRound(roundMillis * MILLI, attempt, leftMillis * MILLI))
                .isEqualTo(waitMillis * MILLI);
    }

    @Test
    void theDrawDecidesAnythingFromNoWaitOn() {
        assertThat(new Backoff(() -> 0).afterRound(100 * MILLI, 0, 10_000 * MILLI))
                .isZero();
        assertThat(new Backoff(() -> 0.999).afterRound(100 * MILLI, 0, 10_000 * MILLI))
                .isEqualTo((long) (99.9 * MILLI));
    }
}
