package dev.incumbent.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A run with {@code -n}, started again and again as cron does, after its leader has died without a word. */
@Tag("realtime")
final class TakeoverTest {
    private static final long LEASE_MILLIS = RunProcess.SHORT_LEASE.toMillis();
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(40);
    private static final List<String> TIMING = List.of("job", "--lease", LEASE_MILLIS + "ms", "--stop-budget", "300ms");

    @TempDir
    private Path folder;

    /** How a leader falls silent. */
    private enum Death {
        /** The wrapper is killed; its supervisor ends the command. */
        KILLED {
            @Override
            void befalls(RunProcess leader) {
                leader.kill();
            }
        },
        /** The wrapper is frozen; its supervisor ends the command in time. */
        FROZEN {
            @Override
            void befalls(RunProcess leader) {
                leader.signal("STOP");
            }
        },
        /** All are gone at once, as by a power cut. */
        POWERED_OFF {
            @Override
            void befalls(RunProcess leader) {
                List<Long> command = leader.started();
                List<Long> supervisors = leader.supervisors();
                leader.signal("STOP");
                supervisors.forEach(pid -> RunProcess.signal("KILL", pid));
                command.forEach(pid -> RunProcess.signal("KILL", pid));
                leader.kill();
            }
        };

        abstract void befalls(RunProcess leader);
    }

    @ParameterizedTest
    @EnumSource
    void theNextOneAfterTheLeaseLeads(Death death) {
        Path begun = folder.resolve("begun");
        try (RunProcess leader = start("--", "sh", "-c", "echo > " + begun + "; exec sleep 60")) {
            RunProcess.awaitLines(begun, 1);
            assertThat(tryAtOnce()).isEqualTo(1);

            death.befalls(leader);

            long silentSince = System.nanoTime();
            long asked = silentSince;
            int code = tryAtOnce();
            while (code == 1 && asked - silentSince < PATIENCE_NANOS) {
                asked = System.nanoTime();
                code = tryAtOnce();
            }
            assertThat(code).isZero();
            assertThat(Duration.ofNanos(asked - silentSince)).isLessThan(RunProcess.PAST_A_SHORT_LEASE);
        }
    }

    private int tryAtOnce() {
        try (RunProcess attempt = start("-n", "--", "true")) {
            int code = attempt.exitCode();
            if (code == 1) {
                assertThat(attempt.err()).contains("job: not acquired: ").contains(" leads, token ");
            }
            return code;
        }
    }

    private RunProcess start(String... more) {
        return RunProcess.start(
                folder, Stream.concat(TIMING.stream(), Stream.of(more)).toArray(String[]::new));
    }
}
