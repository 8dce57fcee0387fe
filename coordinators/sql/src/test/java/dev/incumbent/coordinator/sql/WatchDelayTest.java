package dev.incumbent.coordinator.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class WatchDelayTest {
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(2);

    @Test
    void aQuickQueryIsRepeatedFourTimesASecond() {
        assertThat(delayAfter(Duration.ofMillis(1))).isEqualTo(Duration.ofMillis(250));
        assertThat(delayAfter(Duration.ZERO)).isEqualTo(Duration.ofMillis(250));
    }

    @Test
    void aSlowerOneTakesATwentiethOfTheTime() {
        assertThat(delayAfter(Duration.ofMillis(50))).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void theSlowestIsRepeatedAfterARequestTimeout() {
        assertThat(delayAfter(Duration.ofMillis(101))).isEqualTo(REQUEST_TIMEOUT);
        assertThat(delayAfter(Duration.ofSeconds(2))).isEqualTo(REQUEST_TIMEOUT);
    }

    @Test
    void aRequestTimeoutThatIsShorterThanTheShortestDelayDoesNotShortenIt() {
        assertThat(Duration.ofNanos(ServerWatch.delayNanos(Duration.ofMillis(90).toNanos(), Duration.ofMillis(100))))
                .isEqualTo(Duration.ofMillis(250));
    }

    private static Duration delayAfter(Duration took) {
        return Duration.ofNanos(ServerWatch.delayNanos(took.toNanos(), REQUEST_TIMEOUT));
    }
}
