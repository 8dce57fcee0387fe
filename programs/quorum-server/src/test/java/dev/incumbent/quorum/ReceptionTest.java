package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.coordinator.quorum.wire.Words;
import org.apache.ratis.thirdparty.io.netty.handler.codec.http.DefaultHttpHeaders;
import org.apache.ratis.thirdparty.io.netty.handler.codec.http.HttpHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How long an asker is believed to wait. */
final class ReceptionTest {
    /** Whatever number it is, the wait is bounded: a product that overflows would be a wait of millions of years. */
    @ParameterizedTest
    @CsvSource({
        "1000, 900",
        "1, 1",
        "0, 1",
        "-1, 1",
        "60000, 54000",
        "9223372036854775807, 54000",
        "-1200000000000000000, 1",
        "-9223372036854775808, 1"
    })
    void anAnswerIsAwaitedForNineTenthsOfWhatIsToldAndNoLongerThanANodeMayTake(String told, long millis) {
        assertThat(Reception.within(headers(told))).isEqualTo(millis);
    }

    @Test
    void whoTellsNothingWaitsForTwoSeconds() {
        assertThat(Reception.within(new DefaultHttpHeaders())).isEqualTo(1_800);
    }

    @Test
    void whatIsNoNumberIsNotUnderstood() {
        assertThatThrownBy(() -> Reception.within(headers("soon"))).isInstanceOf(NumberFormatException.class);
    }

    private static HttpHeaders headers(String within) {
        return new DefaultHttpHeaders().add(Words.WITHIN_HEADER, within);
    }
}
