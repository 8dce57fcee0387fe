package dev.incumbent.telling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TextFormsTest {
    @ParameterizedTest
    @CsvSource({
        "500ms, PT0.5S",
        "1.5s, PT1.5S",
        "15s, PT15S",
        "2m, PT2M",
        "1h30m, PT1H30M",
        "0, PT0S",
        "1h0m0.25s, PT1H0.25S",
        "250us, PT0.00025S"
    })
    void durationsAreReadAsGoWritesThem(String text, Duration expected) {
        assertThat(DurationText.parse(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "5 s", "-5s", "s", "1.s", "5d", "1h30", "9999999h", "PT5S"})
    void whatIsNoDurationIsRefusedByName(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DurationText.parse(text))
                .withMessageStartingWith("'" + text + "' is no duration");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0ms", "999ms", "1s", "1.5s", "1m", "1m0.001s", "2h", "2h5m30s"})
    void aDurationIsWrittenAsItIsRead(String text) {
        assertThat(DurationText.format(DurationText.parse(text))).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({
        "2026-11-28T02:00+01:00, 2026-11-28T01:00:00Z",
        "2026-11-28T01:00Z, 2026-11-28T01:00:00Z",
        "2026-11-28T01:00:00.5-00:30, 2026-11-28T01:30:00.500Z",
        "+1h30m, 1970-01-01T01:30:00Z"
    })
    void timesAreReadWithAnOffsetOrFromNow(String text, Instant expected) {
        assertThat(TimeText.parse(text, Instant.EPOCH)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "02:00", "2026-11-28", "2026-11-28T02:00", "2026-11-28T02:00[Europe/Berlin]", "30m"})
    void whatIsNoTimeWithAnOffsetIsRefusedByName(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TimeText.parse(text, Instant.EPOCH))
                .withMessageStartingWith("'" + text + "' is no time with an offset");
    }

    @Test
    void jsonKeepsItsOrderOnOneLineAndEscapesWhatMustBe() {
        JsonObject json = new JsonObject()
                .put("s", "a\"b\\c\nd\u0001é")
                .put("half", "\uD800")
                .put("n", 7)
                .put("none", Optional.empty())
                .put("list", List.of(new JsonObject().put("b", true), new JsonObject()))
                .putStrings("strings", List.of("x", "y"));

        assertThat(json)
                .hasToString("{\"s\":\"a\\\"b\\\\c\\nd\\u0001é\",\"half\":\"\\uD800\",\"n\":7,\"none\":null,"
                        + "\"list\":[{\"b\":true},{}],\"strings\":[\"x\",\"y\"]}");
    }
}
