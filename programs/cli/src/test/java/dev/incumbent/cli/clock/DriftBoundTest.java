package dev.incumbent.cli.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class DriftBoundTest {
    private static final Duration LEASE = Duration.ofSeconds(10);

    private final List<String> warnings = new ArrayList<>();

    @Test
    void aNumberIsTakenAsItIsAndNoClockIsAsked() {
        assertThat(over("0.002", Optional.empty())).isEqualTo(0.002);
        assertThat(over("2000ppm", Optional.empty())).isEqualTo(0.002);
        assertThat(over("0.2%", Optional.empty())).isEqualTo(0.002);
        assertThat(over("0", Optional.empty())).isZero();
        assertThat(warnings).isEmpty();
    }

    @Test
    void autoTakesWhatTheClockIsVouchedFor() {
        assertThat(over("auto", Optional.of(new ClockError("a test", true, Duration.ofMillis(10), 500))))
                .isEqualTo(0.0025);
        assertThat(warnings).isEmpty();
    }

    @Test
    void autoWarnsWhereNobodyVouchesAndKeepsTheStandard() {
        assertThat(over("auto", Optional.of(new ClockError("a test", false, Duration.ofSeconds(16), 500))))
                .isEqualTo(0.001);
        assertThat(over("auto", Optional.empty())).isEqualTo(0.001);

        assertThat(warnings).hasSize(2).allMatch(warning -> warning.contains("1000 ppm stays"));
        assertThat(warnings.get(0)).contains("NOT SYNCHRONISED");
    }

    @Test
    void whatIsNoBoundIsRefused() {
        for (String text :
                List.of("", "fast", "-0.1", "0.2", "1", "20%", "200000ppm", "1e-3", "0.001 ", "NaN", "AUTO")) {
            assertThatThrownBy(() -> DriftBound.parse(text))
                    .as(text)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("write auto");
        }
    }

    private double over(String text, Optional<ClockError> clock) {
        return DriftBound.parse(text).over(LEASE, () -> clock, warnings::add);
    }
}
