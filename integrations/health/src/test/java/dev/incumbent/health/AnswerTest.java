package dev.incumbent.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.Test;

/** What a sentence may look like, whoever made it. */
class AnswerTest {
    @Test
    void itIsOneLineOfBoundedLength() {
        assertThat(Answer.sick(" no\nroom\t\u001b[31m here ").why()).isEqualTo("no room [31m here");
        assertThat(Answer.sick("x".repeat(300)).why()).hasSize(300).endsWith("x");
        assertThat(Answer.sick("x".repeat(301)).why()).hasSize(300).endsWith("x…");
    }

    @Test
    void amountsReadTheSameEverywhere() {
        assertThat(Amounts.bytes(999)).isEqualTo("999 bytes");
        assertThat(Amounts.bytes(1_000)).isEqualTo("1 kB");
        assertThat(Amounts.bytes(1_500)).isEqualTo("1.5 kB");
        assertThat(Amounts.bytes(12_400_000_000L)).isEqualTo("12.4 GB");
        assertThat(Amounts.bytes(Long.MAX_VALUE)).isEqualTo("9.2 EB");
        assertThat(Amounts.seconds(40_000_000)).isEqualTo("40 ms");
        assertThat(Amounts.seconds(999_999_999)).isEqualTo("999 ms");
        assertThat(Amounts.seconds(1_000_000_000)).isEqualTo("1 s");
        assertThat(Amounts.seconds(2_500_000_000L)).isEqualTo("2.5 s");
        Locale here = Locale.getDefault();
        try {
            Locale.setDefault(Locale.GERMANY);
            assertThat(Amounts.percent(12.44)).isEqualTo("12.4 %");
        } finally {
            Locale.setDefault(here);
        }
    }

    @Test
    void allOfNothingIsEverything() {
        assertThat(Amounts.percentOf(1, 4)).isEqualTo(25);
        assertThat(Amounts.percentOf(0, 0)).isEqualTo(100);
        assertThat(Amounts.percentOf(5, -1)).isEqualTo(100);
    }
}
