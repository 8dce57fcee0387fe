package dev.incumbent.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a run meets is known to {@code doctor} afterwards. */
@Tag("realtime")
final class RecordedPauseTest {
    /** The shortest that is written down is half a second long. */
    private static final Duration PAUSE = Duration.ofSeconds(2);

    @TempDir
    private Path folder;

    @Test
    void aRunThatStoodStillWritesDownForHowLong() {
        Path begun = folder.resolve("begun");
        Path pauses = folder.resolve("state/incumbent/pauses");
        List<String> line = RunProcess.line(
                folder, "job", "--lease", "60s", "--", "sh", "-c", "echo > $0; sleep 600", begun.toString());
        try (RunProcess run = RunProcess.start(folder, List.of("XDG_STATE_HOME=" + folder.resolve("state")), line)) {
            RunProcess.awaitLines(begun, 1);

            run.signal("STOP");
            LockSupport.parkNanos(PAUSE.toNanos()); // it is the time itself that is waited for
            run.signal("CONT");

            RunProcess.await(
                    "the pause in " + pauses,
                    () -> RunProcess.read(pauses).lines().anyMatch(RecordedPauseTest::isLong));
            assertThat(run.isAlive()).isTrue();
        }
    }

    private static boolean isLong(String pause) {
        String[] words = pause.split(" ", -1);
        return words.length == 4 && words[2].equals("paused") && Long.parseLong(words[1]) > 1_000;
    }
}
