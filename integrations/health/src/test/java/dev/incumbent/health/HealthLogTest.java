package dev.incumbent.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.health.Condition.State;
import java.text.MessageFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import org.junit.jupiter.api.Test;

/** The lines of the log. */
class HealthLogTest {
    private final List<String> lines = new ArrayList<>();

    private final System.Logger logger = new System.Logger() {
        @Override
        public String getName() {
            return HealthMonitor.LOGGER;
        }

        @Override
        public boolean isLoggable(Level level) {
            return true;
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String message, Throwable thrown) {
            lines.add(level + " " + message);
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String format, Object... values) {
            lines.add(level + " " + MessageFormat.format(format, values));
        }
    };

    @Test
    void sicknessAndRecoveryAreALineEachAndAWellBeginningIsNone() {
        HealthLog log = new HealthLog(logger);
        log.onChange(new Condition("disk /var", State.WELL, "has 2.0 GB free, 40 %"));
        log.onChange(new Condition("disk /var", State.SICK, "has 1.0 MB free, 0.1 %, less than 5 %"));
        log.onChange(new Condition("disk /var", State.WELL, "has 2.0 GB free, 40 %"));
        log.onChange(new Condition("disk /var", State.WELL, "has 2.0 GB free, 40 %"));

        assertThat(lines)
                .containsExactly(
                        "WARNING sick: disk /var has 1.0 MB free, 0.1 %, less than 5 %",
                        "INFO well again: disk /var has 2.0 GB free, 40 %");
    }
}
