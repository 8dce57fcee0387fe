package dev.incumbent.telling.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A command ends in its time, whatever it reads and starts. The commands are real. */
@Timeout(60)
class BoundedCommandTest {
    @TempDir
    Path folder;

    @Test
    void oneThatReadsNoInputIsKilledInItsTime() throws Exception {
        assertThat(command("sleep 600", "x".repeat(1_000_000)).run(Duration.ofSeconds(1)))
                .isEmpty();
    }

    @Test
    void itReadsALongInput() throws Exception {
        assertThat(command("test $(wc -c) = 1000000", "x".repeat(1_000_000)).run(Duration.ofSeconds(30)))
                .hasValue(0);
    }

    /** Where its child is killed first, a shell that waits for it goes on, and starts the next one. */
    @Test
    void nothingIsStartedByOneThatIsKilled() throws Exception {
        Path after = folder.resolve("after");
        Path pids = folder.resolve("pids");
        String loop = "while :; do sleep 600 & echo $! >> " + pids + "; wait $!; echo x >> " + after + "; done";
        for (int i = 0; i < 5; i++) {
            assertThat(command(loop, "").run(Duration.ofMillis(800))).isEmpty();
        }

        for (String pid : Files.readAllLines(pids)) {
            ProcessHandle.of(Long.parseLong(pid))
                    .ifPresent(handle ->
                            handle.onExit().orTimeout(30, TimeUnit.SECONDS).join());
        }
        assertThat(after).doesNotExist();
    }

    private BoundedCommand command(String line, String input) {
        return new BoundedCommand(List.of("sh", "-c", line), Map.of(), input, Optional.of(folder.resolve("out")));
    }
}
