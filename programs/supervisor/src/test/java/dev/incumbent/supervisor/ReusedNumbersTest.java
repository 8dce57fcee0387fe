package dev.incumbent.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No signal reaches a stranger that was given the number of a process of ours, whatever the kernel offers against that. */
@Timeout(90)
final class ReusedNumbersTest {
    private static final int LONG = 60_000;
    private static final String TREE = "(setsid sh -c 'touch up; sleep 1001; :' &) ; sleep 1002; :";

    @TempDir
    private Path folder;

    private void killed(BareSupervisor supervisor) throws IOException {
        supervisor.start(LONG, "sh", "-c", TREE);
        Await.until(
                "a tree",
                () -> Files.exists(folder.resolve("up")) && supervisor.started().size() == 4);

        supervisor.say("kill");

        assertThat(supervisor.toTheEnd()).containsExactly("started", "signaled 9", "gone killed");
        assertThat(supervisor.started()).isEmpty();
    }

    @Test
    void aStrangerOfTheSameNumberLives() throws Exception {
        Process stranger = new ProcessBuilder("sleep", "1003").start();
        List<String> kernel = new ArrayList<>(List.of(PretendedKernel.in(folder, PretendedKernel.WITH_A_STRANGER)));
        kernel.add("STRANGER=" + stranger.pid());
        try (BareSupervisor supervisor = BareSupervisor.by(folder, kernel.toArray(String[]::new))) {
            killed(supervisor);

            assertThat(stranger.isAlive()).isTrue();
        } finally {
            stranger.destroyForcibly();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ENOSYS", "EPERM"})
    void aKernelWithoutPidfdsIsServedByNumber(String error) throws Exception {
        String[] kernel = PretendedKernel.in(folder, PretendedKernel.withoutPidfds(error));
        String loop = "while :; do sleep 0.02; done";
        Files.writeString(folder.resolve("hears"), "trap 'echo term >> heard; exit' TERM; touch up; " + loop);
        Files.writeString(folder.resolve("stays"), "trap : TERM; sh hears & " + loop);
        try (BareSupervisor supervisor = BareSupervisor.by(folder, kernel)) {
            supervisor.start(LONG, "sh", "-c", "sh stays & while [ ! -e up ]; do sleep 0.02; done; exit 3");

            assertThat(supervisor.toTheEnd()).containsExactly("started", "exited 3", "gone self");

            assertThat(folder.resolve("refused")).exists();
            assertThat(Files.readAllLines(folder.resolve("heard"))).containsExactly("term");
        }
    }
}
