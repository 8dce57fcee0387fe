package dev.incumbent.agent.watchdog;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Seeded worlds of owners, renewals, a device that counts whole seconds and a holder that is late, in virtual time. */
class WatchdogWorldsTest {
    private static final int SEEDS = 3_000;

    @Test
    void theDeviceNeverOutlivesALeadershipAndNeverFiresOnceAllWorkHasStopped() {
        Map<String, Integer> marks = new TreeMap<>();
        for (int seed = 1; seed <= SEEDS; seed++) {
            WatchdogWorld world = new WatchdogWorld(seed);
            world.run();
            world.marks().forEach((mark, count) -> marks.merge(mark, count, Integer::sum));
        }
        assertThat(marks)
                .containsOnlyKeys(
                        "all may work",
                        "began to work",
                        "fired",
                        "fed",
                        "found by another agent",
                        "outage",
                        "refused",
                        "stopped",
                        "unguarded",
                        "work that did not stop");
    }
}
