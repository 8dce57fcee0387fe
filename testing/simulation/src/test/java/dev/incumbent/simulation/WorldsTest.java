package dev.incumbent.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The driver and the machines hold in worlds. A test each, so that a mutant of the driver ends with the first world that notices. */
class WorldsTest {
    private static final int WORLDS = 60;

    @ParameterizedTest(name = "{0}")
    @MethodSource("worlds")
    void noWorldIsViolated(int number) {
        Ending ending = Worlds.run(Draws.mix(20_261_121L, number));

        assertThat(ending.violation()).as(ending.replayLine()).isEmpty();
    }

    static IntStream worlds() {
        return IntStream.range(0, WORLDS);
    }
}
