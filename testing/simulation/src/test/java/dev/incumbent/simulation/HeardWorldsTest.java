package dev.incumbent.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Worlds whose processes hear each other: nobody is preempted without a reason, and whoever is gone or stands still is. */
class HeardWorldsTest {
    private static final int WORLDS = 40;

    @Test
    void leadersAreMissedForAReasonAlone() {
        Map<Milestone, Long> reached = new EnumMap<>(Milestone.class);

        heard().forEach(seed -> {
            Ending ending = Worlds.run(seed);
            assertThat(ending.violation()).as(ending.replayLine()).isEmpty();
            ending.milestones().forEach((milestone, count) -> reached.merge(milestone, count, Long::sum));
        });

        assertThat(reached)
                .containsKeys(
                        Milestone.PREEMPTED_AND_GONE, Milestone.PREEMPTED_AND_STILL, Milestone.PREEMPTED_BY_MISTAKE);
    }

    private static LongStream heard() {
        return LongStream.iterate(0, i -> i + 1)
                .map(i -> Draws.mix(20_261_126L, i))
                .filter(seed -> Profile.of(seed).isHeard())
                .limit(WORLDS);
    }
}
