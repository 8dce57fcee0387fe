package dev.incumbent.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SignalsTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"TERM", "INT", "HUP", "USR1", "USR2"})
    void aSignalReachesTheWholeGroupOfTheCommand(String name) throws Exception {
        String inner = "trap 'touch inner; exit' %s; touch up; while :; do sleep 0.02; done".formatted(name);
        String outer = "cd %s; trap 'touch outer; exit 33' %s; sh -c \"%s\" | cat".formatted(folder, name, inner);
        try (var run = WrapperProcess.start(List.of(), "sh", "-c", outer)) {
            awaitFile("up");

            run.signal(name);

            assertThat(run.exitCode()).isEqualTo(33);
            awaitFile("inner");
            awaitFile("outer");
        }
    }

    @Test
    void aSecondTermKills() throws Exception {
        String script = "trap 'touch " + folder + "/asked' TERM; touch " + folder + "/up; while :; do sleep 0.02; done";
        try (var run = WrapperProcess.start(List.of(), "sh", "-c", script)) {
            awaitFile("up");

            run.signal("TERM");
            awaitFile("asked");
            run.signal("TERM");

            assertThat(run.exitCode()).isEqualTo(137);
            assertThat(run.started()).isEmpty();
        }
    }

    @Test
    void aCommandKilledByTermGives143() throws Exception {
        try (var run = WrapperProcess.start(List.of(), AwkwardTree.command())) {
            run.awaitStarted(AwkwardTree.NAME, AwkwardTree.SIZE);

            run.signal("TERM");

            assertThat(run.exitCode()).isEqualTo(143);
            assertThat(run.started()).isEmpty();
        }
    }

    @Test
    void aTermBeforeTheCommandWasStartedGives143AndStartsNothing() throws Exception {
        String started = folder + "/started";
        try (var run = WrapperProcess.start(List.of("-DstartAfter=60000"), "touch", started)) {
            run.awaitHandlerOf(10);

            run.signal("TERM");

            assertThat(run.exitCode()).isEqualTo(143);
            assertThat(Path.of(started)).doesNotExist();
        }
    }

    @Test
    void whatWasIgnoredAtTheStartStaysIgnored() throws Exception {
        long hangUp = 1;
        try (var run = WrapperProcess.startAfter("trap '' HUP", List.of(), "sh", "-c", tellAndWait())) {
            awaitFile("up");

            run.signal("HUP");

            assertThat(run.exitCode()).isEqualTo(6);
            assertThat(ignored(run.output())).isEqualTo(hangUp);
        }
    }

    /** The JVM takes these two for itself and hides that they were ignored; the launcher can tell. */
    @Test
    void whatTheLauncherSaysWasIgnoredStaysIgnored() throws Exception {
        long user2QuitAndTheLast = 1L << 11 | 1L << 2 | 1L << 26 | 1L << 63;
        List<String> told = List.of("-Dincumbent.ignored=" + Long.toHexString(user2QuitAndTheLast));
        try (var run = WrapperProcess.startAfter("trap '' USR2 QUIT", told, "sh", "-c", tellAndWait())) {
            awaitFile("up");

            run.signal("USR2");

            assertThat(run.exitCode()).isEqualTo(6);
            assertThat(ignored(run.output())).isEqualTo(user2QuitAndTheLast);
        }
    }

    private String tellAndWait() {
        return "grep SigIgn /proc/self/status; touch " + folder + "/up; sleep 0.3; exit 6";
    }

    private static long ignored(String status) {
        long mask = Long.parseUnsignedLong(status.strip().replaceAll("SigIgn:\\s*", ""), 16);
        long ofTheCLibrary = 1L << 31 | 1L << 32; // any child of a JVM has these two ignored
        return mask & ~ofTheCLibrary;
    }

    @Test
    void theCommandHasNoSignalBlocked() throws Exception {
        try (var run = WrapperProcess.start(List.of(), "grep", "SigBlk", "/proc/self/status")) {
            assertThat(run.exitCode()).isZero();
            assertThat(run.output()).containsPattern("SigBlk:\\s*0000000000000000");
        }
    }

    private void awaitFile(String name) {
        Await.until("file " + name, () -> Files.exists(folder.resolve(name)));
    }
}
