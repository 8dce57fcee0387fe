package dev.incumbent.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Worlds are deterministic, and the machines hold in them. */
class WorldsTest {
    @Test
    void theSameSeedHasTheSameHistory() {
        for (long seed = 1; seed <= 20; seed++) {
            Ending once = Worlds.run(seed);
            Ending again = Worlds.run(seed);

            assertThat(again.hash()).as("seed %s", seed).isEqualTo(once.hash());
            assertThat(again.events()).isEqualTo(once.events());
        }
    }

    @Test
    void noWorldOfAHundredIsViolated() {
        LongStream.range(0, 100)
                .mapToObj(i -> Worlds.run(Draws.mix(20_261_121L, i)))
                .forEach(ending ->
                        assertThat(ending.violation()).as(ending.replayLine()).isEmpty());
    }
}
