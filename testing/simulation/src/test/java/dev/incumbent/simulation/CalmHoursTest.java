package dev.incumbent.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Where nothing fails nobody is preempted; where processes stand still for longer than a silence, somebody is. */
class CalmHoursTest {
    private static final long BASE = 20_261_126L;

    @Test
    void shortDelaysCostNoTerm() {
        Ending hour = new CalmHours(BASE, Duration.ofMillis(80)).hour(1);

        assertThat(hour.violation()).isEmpty();
        assertThat(hour.milestones()).doesNotContainKey(Milestone.PREEMPTED);
        assertThat(hour.events()).as("everybody beats").isGreaterThan(3 * 2 * 20 * 3_600);
    }

    @Test
    void delaysThatAreLongerThanASilenceCostTerms() {
        Ending hour = new CalmHours(BASE, Duration.ofMillis(800)).hour(1);

        assertThat(hour.violation()).isEmpty();
        assertThat(hour.milestones()).containsKey(Milestone.PREEMPTED_AND_STILL);
    }
}
