package dev.incumbent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.memory.MemoryCoordinator;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.model.Timing;
import dev.incumbent.time.SystemTimeline;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@link LastResort#halt} in a process of its own. */
@Tag("realtime")
class HaltTest {
    private static final int STATUS = 86;

    @Test
    void aProcessHaltsWhoseTaskDoesNotStopAndSaysWhy() throws Exception {
        Process process = started();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("ended").isTrue();
            assertThat(process.exitValue()).isEqualTo(STATUS);
            assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .contains("job: the task of token 1 did not return within its stop budget, so this process halts");
        } finally {
            process.destroyForcibly();
        }
    }

    private static Process started() throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Stubborn.class.getName())
                .redirectErrorStream(true)
                .start();
    }

    /** Leads with a task that never returns, resigns, and has a shutdown hook that never ends. */
    static final class Stubborn {
        private Stubborn() {}

        public static void main(String... arguments) throws Exception {
            Runtime.getRuntime().addShutdownHook(new Thread(Stubborn::forever));
            SystemTimeline time = new SystemTimeline();
            Timing timing = Timing.ofLease(Duration.ofSeconds(3));
            var begun = new CountDownLatch(1);
            Candidacy candidacy = Elections.over(
                            MemoryCoordinator.connect(new MemoryStore(time), time, timing.requestTimeout()))
                    .timing(timing)
                    .lastResort(LastResort.halt(STATUS))
                    .open()
                    .election("job")
                    .campaign(leadership -> {
                        begun.countDown();
                        forever();
                    });
            begun.await();
            candidacy.resign();
            forever();
        }

        private static void forever() {
            while (true) {
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException ignoredAsABadTaskWould) {
                    Thread.interrupted();
                }
            }
        }
    }
}
