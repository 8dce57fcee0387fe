package dev.incumbent.cli.frame;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.telling.DurationText;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgesTest {
    private static final Instant NOON = Instant.parse("2026-11-20T12:00:00.25Z");

    @ParameterizedTest
    @CsvSource({
        "0s, 0s",
        "999ms, 0s",
        "1m59s, 119s",
        "2m, 2m",
        "1h59m59s, 119m",
        "2h, 2h",
        "47h59m, 47h",
        "48h, 2d",
        "2400h, 100d"
    })
    void aLengthIsOneNumberAndOneUnit(String length, String shown) {
        assertThat(Ages.length(DurationText.parse(length))).isEqualTo(shown);
    }

    @ParameterizedTest
    @CsvSource({"0s, 12:00:00Z (0s)", "23h59m, 12:00:00Z (23h)", "24h, 2026-11-20 (24h)", "72h, 2026-11-20 (3d)"})
    void aTimeOfAnotherDayIsItsDate(String ago, String shown) {
        assertThat(Ages.at(NOON, NOON.plus(DurationText.parse(ago)))).isEqualTo(shown);
    }

    @Test
    void whatIsToComeByThisMachinesClockHasNoAge() {
        Instant before = NOON.minus(Duration.ofSeconds(1));

        assertThat(Ages.at(NOON, before)).isEqualTo("2026-11-20T12:00:00Z");
        assertThat(Ages.whole(NOON, before)).isEqualTo("2026-11-20T12:00:00.250Z");
        assertThat(Ages.whole(NOON, NOON.plus(Duration.ofMinutes(3)))).isEqualTo("2026-11-20T12:00:00.250Z (3m ago)");
    }
}
