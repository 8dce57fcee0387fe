package dev.incumbent.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.fence.SinkProvider;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Real runs over the embedded file: what CMD gets, and which code comes of it. */
final class RunTest {
    @TempDir
    private Path folder;

    @ParameterizedTest(name = "{0} ends with {1}")
    @CsvSource({
        "exit 7, 7",
        "kill -TERM $$, 143",
        "kill -KILL $$, 137",
    })
    void aCommandsOwnEndIsTheRunsEnd(String script, int code) {
        try (RunProcess run = RunProcess.start(folder, "job", "--", "sh", "-c", script)) {
            assertThat(run.exitCode()).isEqualTo(code);
            assertThat(run.err()).isEmpty();
        }
    }

    @Test
    void aCommandThatIsNotThereIs127AndOneThatIsNoProgramIs126() {
        try (RunProcess missing = RunProcess.start(folder, "job", "--", "no-such-command");
                RunProcess aFolder = RunProcess.start(folder, "other", "--", "/tmp")) {
            assertThat(missing.exitCode()).isEqualTo(127);
            assertThat(missing.err()).isEqualTo("incumbent: job: 'no-such-command' was not found\n");
            assertThat(aFolder.exitCode()).isEqualTo(126);
            assertThat(aFolder.err()).isEqualTo("incumbent: other: '/tmp' cannot be executed\n");
        }
    }

    @Test
    void whoMayNotWaitIsToldThatItIsHeld() {
        Path begun = folder.resolve("begun");
        try (RunProcess leader = RunProcess.start(folder, "job", "--", "sh", "-c", "echo >" + begun + "; sleep 60")) {
            RunProcess.awaitLines(begun, 1);

            try (RunProcess one = RunProcess.start(folder, "job", "-n", "--", "true");
                    RunProcess other = RunProcess.start(folder, "job", "-n", "-E", "75", "--", "true");
                    RunProcess patient = RunProcess.start(folder, "job", "--wait", "300ms", "-E", "9", "--", "true")) {
                assertThat(one.exitCode()).isEqualTo(1);
                assertThat(one.err()).contains("job: not acquired: ").contains(" leads");
                assertThat(other.exitCode()).isEqualTo(75);
                assertThat(patient.exitCode()).isEqualTo(9);
                assertThat(leader.isAlive()).isTrue();
            }
        }
    }

    @Test
    void theCommandGetsItsVariablesAndNoneOfTheWrappersFlags() {
        RunProcess before = RunProcess.start(folder, "job", "--name", "one", "--", "true");
        assertThat(before.exitCode()).isZero();

        List<String> environment = List.of(
                "INCUMBENT_LEASE=6s",
                "INCUMBENT_TOKEN=99",
                "INCUMBENT_REASON=none",
                "INCUMBENT_QUORUM_TOKEN=kept",
                "INCUMBENT_HTTP_SECRET=kept, too");
        List<String> line =
                RunProcess.line(folder, "job", "--name", "two", "--", "sh", "-c", "env | grep ^INCUMBENT_ | sort");
        try (RunProcess run = RunProcess.start(folder, environment, line)) {
            assertThat(run.exitCode()).isZero();
            assertThat(run.out().lines())
                    .satisfiesExactly(
                            at -> assertThat(at).isEqualTo("INCUMBENT_AT=file:" + folder.resolve("coordinator.db")),
                            candidate -> assertThat(candidate).startsWith("INCUMBENT_CANDIDATE=two@"),
                            election -> assertThat(election).isEqualTo("INCUMBENT_ELECTION=job"),
                            secret -> assertThat(secret).isEqualTo("INCUMBENT_HTTP_SECRET=kept, too"),
                            lease -> assertThat(lease).isEqualTo("INCUMBENT_LEASE_MS=6000"),
                            previous -> assertThat(previous).startsWith("INCUMBENT_PREVIOUS=one@"),
                            end -> assertThat(end).isEqualTo("INCUMBENT_PREVIOUS_END=resigned"),
                            token -> assertThat(token).isEqualTo("INCUMBENT_QUORUM_TOKEN=kept"),
                            mark -> assertThat(mark).startsWith("INCUMBENT_RUN_ID="),
                            token -> assertThat(token).isEqualTo("INCUMBENT_TOKEN=2"));
        }
    }

    @Test
    void theCommandIsToldTheCoordinatorWithoutItsPassword() {
        String bare = "jdbc:h2:file:" + folder.resolve("h2") + ";WRITE_DELAY=0;USER=ada";
        List<String> line = RunProcess.line(folder, "job", "--", "sh", "-c", "env | grep -e AT= -e hidden");

        try (RunProcess run = RunProcess.start(folder, List.of("INCUMBENT_AT=" + bare + ";PASSWORD=hidden"), line)) {
            assertThat(run.exitCode()).isZero();
            assertThat(run.out()).isEqualTo("INCUMBENT_AT=" + bare + "\n");
        }
    }

    @Test
    void anAddressThatIsNotOneWordIsRefusedBeforeAnythingIsDone() {
        RunProcess run = RunProcess.start(folder, "job", "--address", "10.0.0.4 8080", "--", "touch", "ran");

        assertThat(run.exitCode()).isEqualTo(64);
        assertThat(run.err()).contains("--address has 1 to 128 characters without blanks, this one is '10.0.0.4 8080'");
    }

    @Test
    void aPriorityOutOfItsBoundsIsRefusedBeforeAnythingIsDone() {
        for (String priority : List.of("1001", "-1001")) {
            RunProcess run = RunProcess.start(folder, "job", "--priority", priority, "--", "touch", "ran");

            assertThat(run.exitCode()).isEqualTo(64);
            assertThat(run.err()).contains("--priority is from -1000 to 1000, this one is " + priority);
        }
        RunProcess high = RunProcess.start(folder, "job", "--priority", "high", "--", "touch", "ran");

        assertThat(high.exitCode()).isEqualTo(64);
        assertThat(high.err()).contains("--priority", "high");
    }

    @Test
    void whatCannotBeToldOfARankIsRefusedBeforeAnythingIsDone() {
        RunProcess version = RunProcess.start(folder, "job", "--app-version", "1.4 2", "--", "touch", "ran");
        RunProcess moves = RunProcess.start(folder, "job", "--moves-to-better", "1s", "--", "touch", "ran");

        assertThat(version.exitCode()).isEqualTo(64);
        assertThat(version.err()).contains("a version is one word of at most 64 printable characters of ASCII");
        assertThat(moves.exitCode()).isEqualTo(64);
        assertThat(moves.err()).contains("--moves-to-better is at least the lease of 1m, this one is 1s");
        assertThat(folder.resolve("ran")).doesNotExist();
    }

    @Test
    void argumentsReachTheCommandByteByByte() throws IOException {
        Path script = folder.resolve("bytes.sh");
        Files.write(script, "exec \"$@\" job -- printf '%s|' a '' 'b c' -- -n @x '".getBytes(StandardCharsets.UTF_8));
        Files.write(script, new byte[] {(byte) 0xff, (byte) 0xfe, '\'', '\n'}, java.nio.file.StandardOpenOption.APPEND);
        List<String> line = new ArrayList<>(List.of("sh", script.toString()));
        line.addAll(RunProcess.line(folder));

        try (RunProcess run = RunProcess.start(folder, List.of("LC_ALL=C"), line)) {
            assertThat(run.exitCode()).isZero();
            assertThat(run.out()).isEqualTo("a||b c|--|-n|@x|\u00ff\u00fe|");
        }
    }

    @Test
    void anUnsafeTimingIsRefusedWithTheNumbers() {
        try (RunProcess run = RunProcess.start(folder, "job", "--lease", "3s", "--stop-budget", "2s", "--", "true")) {
            assertThat(run.exitCode()).isEqualTo(78);
            assertThat(run.err()).contains("renewEvery 1000 ms").contains("stopBudget 2000 ms leaves 794 ms");
        }
    }

    @Test
    void aRunThatEndsDoesNotSayThatItWouldStandAgain() {
        try (RunProcess run = RunProcess.start(folder, "job", "-v", "--", "true")) {
            assertThat(run.exitCode()).isZero();
            assertThat(run.err()).contains("job: ends: ended").doesNotContain("again");
        }
    }

    @Test
    void whoLacksASinkOfTheRecordIsToldWhichAndWhatToDo() {
        String first = "jdbc:sqlite:" + folder.resolve("first.db");
        String second = "jdbc:sqlite:" + folder.resolve("second.db");
        installSink(first);
        installSink(second);
        try (RunProcess before = RunProcess.start(folder, "job", "--sink", first, "--", "true")) {
            assertThat(before.exitCode()).isZero();
        }

        try (RunProcess run = RunProcess.start(folder, "job", "--sink", second, "--wait", "2s", "--", "true")) {
            assertThat(run.exitCode()).isEqualTo(1);
            assertThat(run.err())
                    .contains("job: does not stand: the record names sinks that are not given here: ")
                    .contains("first.db (id ")
                    .containsPattern("give each by --sink, or retire it: incumbent fence retire job --sink-id \\S+\n");
        }
    }

    @Test
    void theExitFileTellsWhatNoCodeCan() {
        Path file = folder.resolve("exit.json");

        try (RunProcess run =
                RunProcess.start(folder, "job", "--json-exit", file.toString(), "--", "sh", "-c", "exit 79")) {
            assertThat(run.exitCode()).isEqualTo(79);
            assertThat(RunProcess.read(file))
                    .isEqualTo(
                            "{\"election\":\"job\",\"token\":1,\"code\":79,\"reason\":\"ended\",\"childCode\":79}\n");
        }
    }

    @Test
    @Tag("realtime")
    void aCoordinatorThatDoesNotAnswerInTimeIs69() throws SQLException {
        try (RunProcess first = RunProcess.start(folder, "job", "--", "true")) {
            assertThat(first.exitCode()).isZero();
        }
        try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("coordinator.db"));
                Statement statement = other.createStatement()) {
            statement.execute("BEGIN EXCLUSIVE");

            try (RunProcess run = RunProcess.start(folder, "job", "--lease", "3s", "--wait", "1s", "--", "true")) {
                assertThat(run.exitCodeWithin(RunProcess.SLACK)).isEqualTo(69);
                assertThat(run.err())
                        .contains("does not answer")
                        .containsAnyOf("stayed locked by another process", "did not answer in time");
            }
        }
    }

    /** Consul takes no session of two days: it is the client that knows, so that no server is needed. */
    @Test
    void aLeaseThatTheCoordinatorRefusesIs78AndNoSilence() {
        List<String> line = RunProcess.line(folder, "job", "--lease", "48h", "--repeat", "--", "true");

        try (RunProcess run = RunProcess.start(folder, List.of("INCUMBENT_AT=consul://127.0.0.1:1/incumbent"), line)) {
            assertThat(run.exitCode()).isEqualTo(78);
            assertThat(run.err())
                    .isEqualTo("incumbent: job: Consul grants leases of at most 86400 s, asked was one of 172800 s\n");
        }
    }

    @Test
    void withoutASupervisorNothingIsRun() {
        List<String> line = new ArrayList<>(RunProcess.line(folder, "job", "--", "echo", "never"));
        line.replaceAll(word -> word.startsWith("-Dincumbent.supervisor=") ? "-Dincumbent.supervisor=none" : word);
        List<String> environment = List.of("PATH=/nowhere", "XDG_CACHE_HOME=" + folder.resolve("cache"));

        try (RunProcess run = RunProcess.start(folder, environment, line)) {
            assertThat(run.exitCode()).isEqualTo(78);
            assertThat(run.err()).contains("no supervisor can be had here");
            assertThat(run.out()).isEmpty();
        }
    }

    private static void installSink(String url) {
        ServiceLoader.load(SinkProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.opens(url))
                .findFirst()
                .orElseThrow()
                .install(url);
    }
}
