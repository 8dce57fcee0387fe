package dev.incumbent.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.incumbent.supervisor.SupervisorEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A command that becomes another user, as under {@code sudo}, and may not be killed by its run. */
@Tag("realtime")
final class OtherUserTest {
    /** For this process and all it starts, the processes of others are out of reach. */
    private static final String WITHOUT_KILL = "exec setpriv --bounding-set=-kill --inh-caps=-kill \"$@\"";

    private static final long LEASE_MILLIS = 4_000;
    /** Less than a lease: neither of them waits for its end. */
    private static final Duration SOON = Duration.ofMillis(LEASE_MILLIS - 500);

    @TempDir
    private Path folder;

    @Test
    void nobodyElseLeadsWhileItRunsAndItIsNamed() throws IOException {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root can make such a command");
        Path well = Files.createFile(folder.resolve("well"));
        try (RunProcess leader = RunProcess.startAfter(
                        folder,
                        WITHOUT_KILL,
                        flags(
                                "--cgroup",
                                "no",
                                "--health-cmd",
                                "test -e " + well,
                                "--",
                                "setpriv",
                                "--reuid",
                                "65534",
                                "sleep",
                                "60"));
                RunProcess successor = successorOf(leader, folder)) {
            long pid = ofNobody(leader).get(0);
            RunProcess.await("a successor in line", () -> successor.err().contains("waits: "));

            Files.delete(well);

            RunProcess.await(
                    "a sentence",
                    () -> leader.err()
                            .contains("incumbent: process " + pid
                                    + " (sleep) runs as user 65534, and this run may not signal it; end it as user 65534: kill "
                                    + pid + "; nobody else leads before it has ended, unless the lease is lost\n"));
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(3 * LEASE_MILLIS));
            assertThat(ofNobody(leader)).containsExactly(pid);
            assertThat(successor.isAlive()).as("the successor waits").isTrue();

            RunProcess.signal("KILL", pid);
            assertThat(successor.exitCodeWithin(SOON)).isZero();
            assertThat(leader.exitCodeWithin(SOON)).isEqualTo(79);
            assertThat(leader.err()).containsOnlyOnce("may not signal it");
        }
    }

    private static RunProcess successorOf(RunProcess leader, Path folder) {
        RunProcess.await("a command of another user", () -> !ofNobody(leader).isEmpty());
        return RunProcess.start(folder, flags("--verbose", "--", "true"));
    }

    private static List<Long> ofNobody(RunProcess run) {
        return run.started().stream()
                .filter(pid ->
                        RunProcess.read(Path.of("/proc/" + pid + "/status")).contains("Uid:\t65534"))
                .toList();
    }

    private static String[] flags(String... more) {
        String[] timing = {"job", "--lease", LEASE_MILLIS + "ms", "--stop-budget", "300ms"};
        String[] all = Arrays.copyOf(timing, timing.length + more.length);
        System.arraycopy(more, 0, all, timing.length, more.length);
        return all;
    }

    @Test
    void theSentenceSaysWhatHoldsMeanwhileAndWhoCanEndIt() {
        assertThat(CommandSentences.of(new SupervisorEvent.Denied(7, OptionalLong.of(0), "sudo"), true))
                .isEqualTo("process 7 (sudo) runs as root, and this run may not signal it; end it as root: kill 7; "
                        + "if the leadership ends before it does, the sinks refuse its writes");
        assertThat(CommandSentences.of(new SupervisorEvent.Denied(7, OptionalLong.empty(), ""), false))
                .isEqualTo("process 7 runs as another user, and this run may not signal it; end it as root: kill 7; "
                        + "nobody else leads before it has ended, unless the lease is lost");
    }
}
