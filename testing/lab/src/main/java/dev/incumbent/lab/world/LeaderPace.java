package dev.incumbent.lab.world;

import java.time.Duration;

/**
 * How a leader works.
 *
 * @param pause from one write's answer until the guard is asked for the next one
 * @param work from the guard's yes until the write is sent
 */
public record LeaderPace(Duration pause, Duration work) {
    /** 50 ms each. */
    public static final LeaderPace USUAL = new LeaderPace(Duration.ofMillis(50), Duration.ofMillis(50));

    public LeaderPace {
        if (pause.isNegative() || work.isNegative() || pause.plus(work).compareTo(Duration.ofMillis(1)) < 0) {
            throw new IllegalArgumentException(
                    "pause and work take at least 1 ms together, these are " + pause + " and " + work);
        }
    }
}
