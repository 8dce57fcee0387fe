package dev.incumbent.coordinator.sql;

import static dev.incumbent.coordinator.tck.Asking.found;
import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.servers.ClassPath;
import dev.incumbent.time.SystemTimeline;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an H2 file holds of a process that was halted right after its last answer. */
class HaltedProcessTest {
    @TempDir
    private Path folder;

    /** A file that was closed and opened again: H2 says then that it writes at once, whether it does or not. */
    @Test
    void allThatWasAcknowledgedIsInTheFile() throws Exception {
        String at = "jdbc:h2:file:" + folder.resolve("offices") + ";WRITE_DELAY=0";
        try (SystemTimeline timeline = new SystemTimeline()) {
            open(at, timeline).close();

            Process halted = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            ClassPath.text(),
                            SwappingAndHalting.class.getName(),
                            at)
                    .inheritIO()
                    .start();

            int terms = halted.waitFor();
            try (Coordinator client = open(at, timeline)) {
                assertThat(found(client).record().term()).isEqualTo(terms);
            }
        }
    }

    private static Coordinator open(String at, SystemTimeline timeline) {
        return new SqlCoordinatorProvider().open(at, timeline, Duration.ofSeconds(20), Mode.CREATE);
    }
}
