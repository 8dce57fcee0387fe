package dev.incumbent.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The supervisor on machines other than the one that runs the tests. */
@Timeout(90)
final class OtherKernelsTest {
    private static final int LONG = 60_000;
    private static final long SECOND = 1_000_000_000;

    @TempDir
    private Path folder;

    private BareSupervisor on(String kernel) throws Exception {
        return BareSupervisor.by(folder, PretendedKernel.in(folder, kernel));
    }

    private void awaitFile(String name) {
        Await.until("file " + name, () -> Files.exists(folder.resolve(name)));
    }

    private static long uptimeSeconds() throws IOException {
        return (long)
                Double.parseDouble(Files.readString(Path.of("/proc/uptime")).split(" ", 2)[0]);
    }

    @Test
    void theTimeThatAMachineSleptCountsAgainstALease() throws Exception {
        try (BareSupervisor supervisor = on(PretendedKernel.SLEPT)) {
            long ahead = supervisor.bootTime(0) / SECOND - uptimeSeconds();
            assertThat(ahead).isBetween(PretendedKernel.SLEPT_SECONDS - 30, PretendedKernel.SLEPT_SECONDS + 1);
            supervisor.start(LONG, "sh", "-c", "trap 'touch asked' TERM; touch up; while :; do sleep 0.02; done");
            awaitFile("up");
            long begun = System.nanoTime();
            supervisor.say("awake");
            List<String> told = new ArrayList<>();
            while (told.stream().noneMatch(line -> line.startsWith("awake "))) {
                told.add(supervisor.next());
            }
            long now = Long.parseLong(told.get(told.size() - 1).substring("awake ".length()));

            supervisor.say("lease " + (now + SECOND / 10) + " " + (now + 3 * SECOND));

            assertThat(supervisor.toTheEndAt(begun, Duration.ofSeconds(3)))
                    .containsExactly("signaled 9", "gone deadline");
            assertThat(folder.resolve("asked")).exists();
        }
    }

    @Test
    void withoutListsOfChildrenEveryDescendantIsAskedAndKilled() throws Exception {
        String stubborn = "trap \"echo term >> heard-$1\" TERM; touch up-$1; while :; do sleep 0.02; done";
        Files.writeString(folder.resolve("stubborn"), stubborn);
        String script =
                "setsid sh -c 'setsid sh stubborn grandchild & exec sh stubborn child' & setsid sh stubborn other & "
                        + "while [ ! -e up-child ] || [ ! -e up-grandchild ] || [ ! -e up-other ]; do sleep 0.02; done; exit 3";
        try (BareSupervisor supervisor = on(PretendedKernel.WITHOUT_LISTS_OF_CHILDREN)) {
            supervisor.start(LONG, "sh", "-c", script);

            assertThat(supervisor.toTheEnd()).containsExactly("started", "exited 3", "gone self");
            assertThat(supervisor.started()).isEmpty();
            assertThat(supervisor.exitCode()).isZero();
            for (String each : List.of("child", "grandchild", "other")) {
                assertThat(Files.readAllLines(folder.resolve("heard-" + each))).containsExactly("term");
            }
        }
    }

    /** The name of a process stands in parentheses in the line that tells its parent, and may hold some itself. */
    @Test
    void withoutListsOfChildrenWhoHasAnAwkwardNameIsFound() throws Exception {
        String script = "ln -s $(command -v sleep) 'x) S 1 2'; setsid './x) S 1 2' 1001 & exec sleep 1002";
        try (BareSupervisor supervisor = on(PretendedKernel.WITHOUT_LISTS_OF_CHILDREN)) {
            supervisor.start(LONG, "sh", "-c", script);
            Await.until(
                    "the two",
                    () -> supervisor.started().stream().filter(this::isAsleep).count() == 2);

            supervisor.say("kill");

            Await.until("their end", () -> supervisor.started().isEmpty());
        }
    }

    private boolean isAsleep(ProcessEntry process) {
        try {
            return Files.readString(Path.of("/proc", "" + process.pid(), "cmdline"))
                    .contains("\000100");
        } catch (IOException gone) {
            return false;
        }
    }

    @Test
    void withoutListsOfChildrenWhatALeftoverNeedsIsLeftInPeaceToo() throws Exception {
        String script = "setsid sh -c 'trap \"sleep 0.3 && touch cleaned; exit\" TERM; "
                + "touch up; while :; do sleep 0.02; done' & while [ ! -e up ]; do sleep 0.02; done; exit 0";
        try (BareSupervisor supervisor = on(PretendedKernel.WITHOUT_LISTS_OF_CHILDREN)) {
            supervisor.start(LONG, "sh", "-c", script);

            assertThat(supervisor.toTheEnd()).containsExactly("started", "exited 0", "gone self");
            assertThat(folder.resolve("cleaned")).exists();
        }
    }

    private Process run(String kernel, String argument) throws Exception {
        List<String> line = new ArrayList<>(List.of(PretendedKernel.in(folder, kernel)));
        line.addAll(List.of(TestFolder.binary().toString(), argument));
        return new ProcessBuilder(line).redirectErrorStream(true).start();
    }

    private static String outputOf(Process process) throws IOException {
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    @Test
    void whoCannotSeeTheProcessesThatItWouldHaveToEndDoesNotBegin() throws Exception {
        Process supervisor =
                run(PretendedKernel.WITHOUT_PROC, folder.resolve("none").toString());

        assertThat(outputOf(supervisor)).contains("cannot see its own process in /proc");
        assertThat(supervisor.waitFor()).isEqualTo(70);
    }

    @Test
    void whatTheKernelTellsOfItsClockIsToldFieldByField() throws Exception {
        Process report = run(PretendedKernel.NUMBERED_CLOCK, "--clock");

        assertThat(outputOf(report))
                .isEqualTo("{\"state\":4,\"status\":15,\"offset\":11,\"freq\":12,\"maxerror\":13,\"esterror\":14,"
                        + "\"tolerance\":16,\"tick\":17}\n");
        assertThat(report.waitFor()).isZero();
    }

    @Test
    void aKernelThatTellsNothingOfItsClockIsAFailure() throws Exception {
        Process report = run(PretendedKernel.CLOCK_UNTOLD, "--clock");

        assertThat(outputOf(report)).contains("the kernel tells nothing of its clock");
        assertThat(report.waitFor()).isEqualTo(70);
    }

    @Test
    void aCallThatIsNoneIsToldHowToCall() throws Exception {
        Process call = new ProcessBuilder(TestFolder.binary().toString())
                .redirectErrorStream(true)
                .start();

        assertThat(outputOf(call)).startsWith("usage: incumbent-supervisor SOCKET");
        assertThat(call.waitFor()).isEqualTo(64);
    }
}
