package dev.incumbent.cli.run;

import dev.incumbent.health.HealthCheck;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What a run asks of its own health, checked.
 *
 * @param command a line for the shell
 * @param checks the others
 * @param every from one question to the next, and the longest that the command may take
 * @param after so many answers in a row change what is believed
 */
record HealthPlan(Optional<String> command, List<HealthCheck> checks, Duration every, int after) {
    /** A first question may take long: this JVM has just begun. */
    private static final Duration LEAST = Duration.ofSeconds(1);

    /** The longest that the answer of another check may take. */
    Duration within() {
        return every.compareTo(LEAST) < 0 ? LEAST : every;
    }
}
