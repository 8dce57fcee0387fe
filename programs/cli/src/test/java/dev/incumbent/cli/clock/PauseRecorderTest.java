package dev.incumbent.cli.clock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.cli.frame.Screen;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.time.PauseDetector;
import dev.incumbent.time.VirtualTimeline;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A pause of 3 s is told as 2900 ms: the detector looks every 100 ms, and subtracts what it would have waited anyhow. */
class PauseRecorderTest {
    private final VirtualTimeline timeline = new VirtualTimeline();

    @TempDir
    Path state;

    private PauseDetector listen() {
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
        Surroundings around = new Surroundings(
                Map.of("XDG_STATE_HOME", state.toString()),
                new ByteArrayInputStream(new byte[0]),
                nowhere,
                nowhere,
                Screen.NONE,
                timeline,
                List.of(),
                List.of());
        return PauseRecorder.listen(around).orElseThrow();
    }

    /** As the kernel calls this machine. */
    private static String host() throws IOException {
        return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
    }

    private Instant now() {
        return Instant.ofEpochMilli(timeline.wallMillis());
    }

    @Test
    void aPauseAndASuspendAreWrittenDownEachAsWhatItWas() throws IOException {
        PauseDetector listening = listen();

        timeline.pause(Duration.ofSeconds(3));
        Instant paused = now();
        timeline.suspend(Duration.ofSeconds(60));
        timeline.advance(PauseDetector.TICK);

        assertThat(written()).containsExactly(now() + " 60000 suspended " + host(), paused + " 2900 paused " + host());
        listening.close();
    }

    @Test
    void aPauseOfLessThanHalfASecondIsNotWrittenDown() throws IOException {
        PauseDetector listening = listen();

        timeline.pause(Duration.ofMillis(599));
        timeline.advance(Duration.ofSeconds(1));
        timeline.pause(Duration.ofMillis(600));

        assertThat(written()).containsExactly(now() + " 500 paused " + host());
        listening.close();
    }

    @Test
    void aStepOfTheWallClockIsNoPause() throws IOException {
        PauseDetector listening = listen();

        timeline.stepWall(Duration.ofSeconds(60));
        timeline.advance(Duration.ofSeconds(1));

        assertThat(written()).isEmpty();
        listening.close();
    }

    @Test
    void nothingIsWrittenDownOnceItIsClosed() throws IOException {
        listen().close();

        timeline.pause(Duration.ofSeconds(3));
        timeline.advance(Duration.ofSeconds(1));

        assertThat(written()).isEmpty();
    }

    /** Once each thread that writes has ended; each was started before the time had moved on. */
    private List<String> written() throws IOException {
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().equals("incumbent-pauses")) {
                join(thread);
            }
        }
        Path file = state.resolve("incumbent/pauses");
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
