package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A body of many parts is refused before it is split. */
final class PartsTest {
    @Test
    void asManyAsAllowedAreSplit() {
        assertThat(Parts.lines("KEEP\tL0\n".repeat(Parts.MOST_LINES)))
                .hasSize(Parts.MOST_LINES)
                .containsOnly("KEEP\tL0");
        assertThat(Parts.lines("READ" + "\tx".repeat(Parts.MOST_FIELDS))).hasSize(1);
        assertThat(Parts.lines("")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r", "KEEP\tL0\n"})
    void oneLineMoreIsRefused(String line) {
        assertThatThrownBy(() -> Parts.lines(line.repeat(Parts.MOST_LINES + 1)))
                .isInstanceOf(Parts.TooMany.class)
                .hasMessage("a request has at most 4096 lines");
    }

    @Test
    void oneFieldMoreIsRefused() {
        assertThatThrownBy(() -> Parts.lines("READ" + "\t".repeat(Parts.MOST_FIELDS + 1)))
                .isInstanceOf(Parts.TooMany.class)
                .hasMessage("a request has at most 100000 fields");
    }
}
