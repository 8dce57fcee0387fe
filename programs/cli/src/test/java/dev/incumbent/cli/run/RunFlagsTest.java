package dev.incumbent.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.fence.SinkProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What single flags of a run do, where no other test gives them. */
final class RunFlagsTest {
    /** Ends by USR2, says so, and takes no notice of TERM. */
    private static final String ENDED_BY_USR2 =
            "trap '' TERM; trap 'echo usr2 >> $0; exit' USR2; echo >> $0; " + "while :; do sleep 0.05; done";

    private static final String SHORT = RunProcess.SHORT_LEASE.toSeconds() + "s";

    @TempDir
    private Path folder;

    @Test
    void theStopSignalIsWhatEndsTheCommandWhenTheLeadershipEnds() throws IOException {
        Path ill = folder.resolve("ill");
        Path file = folder.resolve("f");
        try (RunProcess run = RunProcess.start(
                folder,
                "job",
                "--health-every",
                "1s",
                "--stop-signal",
                "USR2",
                "--health-cmd",
                "test ! -e " + ill,
                "--",
                "sh",
                "-c",
                ENDED_BY_USR2,
                file.toString())) {
            RunProcess.awaitLines(file, 1);

            Files.createFile(ill);

            assertThat(run.exitCode()).isEqualTo(79);
            assertThat(RunProcess.read(file)).isEqualTo("\nusr2\n");
        }
    }

    @Test
    void aCommandThatIsDeafToTermIsKilledAfterTheStopBudget() {
        Path file = folder.resolve("f");
        try (RunProcess run = RunProcess.start(
                folder,
                "job",
                "--stop-budget",
                "300ms",
                "--",
                "sh",
                "-c",
                "trap '' TERM; echo >> $0; while :; do sleep 0.05; done",
                file.toString())) {
            RunProcess.awaitLines(file, 1);

            run.signal("TERM");

            assertThat(run.exitCodeWithin(RunProcess.SLACK)).isEqualTo(137);
        }
    }

    @Test
    @Tag("realtime")
    void aHookThatLastsALeaseIsKilledAndTheLeadershipGivenUp() {
        try (RunProcess run =
                RunProcess.start(folder, "job", "--lease", SHORT, "--on-acquire", "sleep 60", "--", "true")) {
            assertThat(run.exitCodeWithin(RunProcess.PAST_A_SHORT_LEASE)).isEqualTo(1);
            assertThat(run.err()).contains("the command of --on-acquire failed, or lasted a lease");
        }
    }

    /** The budget is longer than the test waits: the hook does not get it. */
    @Test
    void aSignalKillsAHookAtOnce() {
        Path file = folder.resolve("f");
        try (RunProcess run = RunProcess.start(
                folder,
                "job",
                "--lease",
                "300s",
                "--stop-budget",
                "90s",
                "--on-acquire",
                "trap '' TERM; echo >> " + file + "; while :; do sleep 0.05; done",
                "--",
                "true")) {
            RunProcess.awaitLines(file, 1);

            run.signal("TERM");

            assertThat(run.exitCode()).isEqualTo(143);
        }
    }

    @Test
    @Tag("realtime")
    void aHealthCommandThatHangsFails() {
        try (RunProcess run =
                RunProcess.start(folder, "job", "-n", "--lease", SHORT, "--health-cmd", "sleep 60", "--", "true")) {
            assertThat(run.exitCodeWithin(RunProcess.SHORT_LEASE)).isEqualTo(1);
            assertThat(run.err()).contains("job: does not stand: the health command fails");
        }
    }

    @Test
    void theHookOfALossIsNotRunWhereTheCommandEnded() {
        Path lost = folder.resolve("lost");
        try (RunProcess run = RunProcess.start(folder, "job", "--on-lost", "echo >> " + lost, "--", "true")) {
            assertThat(run.exitCode()).isZero();
            assertThat(lost).doesNotExist();
        }
    }

    @Test
    void aControlGroupThatCannotBeMadeIsTold() {
        try (RunProcess run = RunProcess.start(
                folder, "job", "--cgroup", "/nowhere", "--health-cmd", "true", "--", "sh", "-c", "exit 4")) {
            assertThat(run.exitCode()).isEqualTo(4);
            assertThat(run.err())
                    .containsOnlyOnce("no control group can be used below /nowhere: there is no such folder; "
                            + "the command runs without one");
        }
    }

    /** The launcher tells in hexadecimal which signals were ignored: 4000 is TERM. */
    @Test
    void aSignalThatTheLauncherFoundIgnoredStaysIgnored() {
        Path file = folder.resolve("f");
        String script = "trap 'exit 4' USR2; echo >> $0; while :; do sleep 0.05; done";
        List<String> line = new ArrayList<>(RunProcess.line(folder, "job", "--", "sh", "-c", script, file.toString()));
        line.add(1, "-Dincumbent.ignored=4000");
        try (RunProcess run = RunProcess.start(folder, List.of(), line)) {
            RunProcess.awaitLines(file, 1);

            run.signal("TERM");
            run.signal("USR2");

            assertThat(run.exitCode()).isEqualTo(4);
        }
    }

    @Test
    void withRepeatARunStandsUntilItsSinkIsThere() {
        String url = "jdbc:sqlite:" + folder.resolve("ledger.db");
        try (RunProcess run = RunProcess.start(folder, "job", "--repeat", "--sink", url, "--", "sh", "-c", "exit 4")) {
            RunProcess.await("a sink that is missed", () -> run.err().contains("there is no such file"));

            ServiceLoader.load(SinkProvider.class).stream()
                    .map(ServiceLoader.Provider::get)
                    .filter(provider -> provider.opens(url))
                    .findFirst()
                    .orElseThrow()
                    .install(url);

            assertThat(run.exitCode()).isEqualTo(4);
        }
    }

    @Test
    void aRefusedRunSaysSoInItsExitFile() {
        Path json = folder.resolve("exit.json");
        String[] line = {"job", "-n", "--wait", "1s", "--json-exit", json.toString(), "--", "true"};
        try (RunProcess run = RunProcess.start(folder, line)) {
            assertThat(run.exitCode()).isEqualTo(64);
            assertThat(run.err()).contains("--nonblock and --wait exclude each other");
            assertThat(RunProcess.read(json))
                    .isEqualTo(
                            "{\"election\":\"job\",\"token\":null,\"code\":64,\"reason\":\"usage\",\"childCode\":null}\n");
        }
    }

    @Test
    @Tag("realtime")
    void aCoordinatorThatDoesNotAnswerIsTheReasonInTheExitFile() throws SQLException {
        Path json = folder.resolve("exit.json");
        try (RunProcess first = RunProcess.start(folder, "job", "--", "true")) {
            assertThat(first.exitCode()).isZero();
        }
        try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("coordinator.db"));
                Statement statement = other.createStatement()) {
            statement.execute("BEGIN EXCLUSIVE");

            String[] line = {"job", "-n", "--lease", "3s", "--json-exit", json.toString(), "--", "true"};
            try (RunProcess run = RunProcess.start(folder, line)) {
                assertThat(run.exitCode()).isEqualTo(69);
                assertThat(RunProcess.read(json)).contains("\"code\":69,\"reason\":\"unreachable\"");
            }
        }
    }
}
