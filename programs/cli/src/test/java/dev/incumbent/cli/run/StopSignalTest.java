package dev.incumbent.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class StopSignalTest {
    @ParameterizedTest
    @CsvSource({
        "HUP, 1",
        "int, 2",
        "SIGQUIT, 3",
        "ABRT, 6",
        "KILL, 9",
        "sigusr1, 10",
        "USR2, 12",
        "ALRM, 14",
        "TERM, 15",
        "1, 1",
        "64, 64",
    })
    void aSignalIsGivenByItsNameOrItsNumber(String text, int number) {
        assertThat(StopSignal.parse(text).number()).isEqualTo(number);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "65", "015", "-1", "TERMINATE", ""})
    void whatIsNoSignalIsRefused(String text) {
        assertThatThrownBy(() -> StopSignal.parse(text)).hasMessageContaining("'" + text + "' is no signal");
    }

    @Test
    void theRefusalTellsTheNames() {
        assertThatThrownBy(() -> StopSignal.parse("x"))
                .hasMessageEndingWith("1 to 64, or one of ABRT, ALRM, HUP, INT, KILL, QUIT, TERM, USR1, USR2");
    }
}
