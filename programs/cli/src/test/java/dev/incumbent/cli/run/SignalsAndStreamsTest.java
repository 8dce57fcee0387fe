package dev.incumbent.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.fence.SinkProvider;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What reaches a command through a run, and what a run does besides. */
@Tag("field")
final class SignalsAndStreamsTest {
    @TempDir
    private Path folder;

    private RunProcess begun(Path file, String script, String... flags) {
        String[] line = java.util.stream.Stream.of(
                        java.util.stream.Stream.of("job"),
                        java.util.stream.Stream.of(flags),
                        java.util.stream.Stream.of("--", "sh", "-c", script, file.toString()))
                .flatMap(s -> s)
                .toArray(String[]::new);
        RunProcess run = RunProcess.start(folder, line);
        RunProcess.awaitLines(file, 1);
        return run;
    }

    @Test
    void theFirstTermIsTheCommandsOwnToAnswer() {
        try (RunProcess run =
                begun(folder.resolve("f"), "trap 'exit 5' TERM; echo >> $0; while :; do sleep 0.05; done")) {
            run.signal("TERM");

            assertThat(run.exitCode()).isEqualTo(5);
        }
    }

    @Test
    void theSecondTermKills() {
        try (RunProcess run = begun(folder.resolve("f"), "trap '' TERM; echo >> $0; while :; do sleep 0.05; done")) {
            run.signal("TERM");
            run.signal("TERM");

            assertThat(run.exitCode()).isEqualTo(137);
        }
    }

    /** As systemd sends one to each process of a unit. */
    @Test
    void aTermThatOthersSendTheCommandComesBesideThatOfTheRun() {
        Path file = folder.resolve("f");
        String twice = "trap 'echo first >> $0; trap \"exit 5\" TERM' TERM; echo >> $0; while :; do sleep 0.05; done";
        try (RunProcess run = begun(file, twice)) {
            run.started().forEach(pid -> RunProcess.signal("TERM", pid));
            RunProcess.awaitLines(file, 2);

            run.signal("TERM");

            assertThat(run.exitCode()).isEqualTo(5);
            assertThat(RunProcess.read(file)).isEqualTo("\nfirst\n");
        }
    }

    @Test
    void otherSignalsGoToTheCommandsWholeGroup() {
        Path file = folder.resolve("f");
        try (RunProcess run = begun(
                file,
                "trap 'echo outer >> $0' USR1; (trap 'echo inner >> $0; exit' USR1; while :; do sleep 0.05; done) & "
                        + "sleep 0.3; echo >> $0; wait; wait; exit 3")) {
            run.signal("USR1");

            assertThat(run.exitCode()).isEqualTo(3);
            assertThat(RunProcess.read(file)).contains("outer").contains("inner");
        }
    }

    @Test
    void aSignalBeforeTheCommandEndsTheWait() {
        try (RunProcess leader = begun(folder.resolve("f"), "echo >> $0; sleep 60");
                RunProcess waiting = RunProcess.start(folder, "job", "-v", "--", "true")) {
            RunProcess.await("a wait", () -> waiting.err().contains("waits"));

            waiting.signal("TERM");

            assertThat(waiting.exitCode()).isEqualTo(143);
            assertThat(leader.isAlive()).isTrue();
        }
    }

    @Test
    void aSignalThatWasIgnoredStaysIgnored() {
        Path file = folder.resolve("f");
        try (RunProcess run = RunProcess.startAfter(
                folder, "trap '' HUP", "job", "--", "sh", "-c", "echo >> $0; sleep 1; exit 4", file.toString())) {
            RunProcess.awaitLines(file, 1);

            run.signal("HUP");
            run.started().forEach(pid -> RunProcess.signal("HUP", pid));

            assertThat(run.exitCode()).isEqualTo(4);
        }
    }

    @Test
    void openFilesAreTheCommandsInEveryTermAndNoHooks() {
        Path file = folder.resolve("f");
        String told = "readlink /proc/self/fd/3 >> $0; test $INCUMBENT_TOKEN = 2 && exit 4; exec sleep 600";
        try (RunProcess run = RunProcess.startAfter(
                folder,
                "exec 3< /etc/passwd",
                "job",
                "--repeat",
                "--on-acquire",
                "test ! -e /proc/self/fd/3",
                "--",
                "sh",
                "-c",
                told,
                file.toString())) {
            RunProcess.awaitLines(file, 1);

            Operator.ask(folder, operator -> operator.resign(Duration.ofSeconds(20)));

            assertThat(run.exitCode()).isEqualTo(4);
            assertThat(RunProcess.read(file)).isEqualTo("/etc/passwd\n/etc/passwd\n");
        }
    }

    @Test
    void aSubstitutedProcessCanBeRead() {
        try (RunProcess run = RunProcess.startAfter(folder, "exec 3< <(echo x)", "job", "--", "sh", "-c", "cat <&3")) {
            assertThat(run.exitCode()).isZero();
            assertThat(run.out()).isEqualTo("x\n");
        }
    }

    @Test
    void whatTheCommandLeavesBehindIsGoneBeforeAnotherLeads() {
        Path file = folder.resolve("f");
        String daemon =
                "setsid sh -c 'trap \"sleep 0.3; echo left >> $0; exit\" TERM; echo >> $0; while :; do sleep 0.05; done' $0 & "
                        + "while [ ! -s $0 ]; do sleep 0.02; done; exit 6";
        try (RunProcess leader = begun(file, daemon);
                RunProcess next = RunProcess.start(folder, "job", "--", "sh", "-c", "echo next >> " + file)) {
            assertThat(leader.exitCode()).isEqualTo(6);
            assertThat(next.exitCode()).isZero();
            assertThat(RunProcess.read(file)).isEqualTo("\nleft\nnext\n");
        }
    }

    @Test
    void standardInputIsTheCommandsAndNotTheHooks() throws IOException {
        ProcessBuilder builder = new ProcessBuilder(RunProcess.line(folder, "job", "--on-acquire", "cat", "--", "cat"));
        builder.environment().put("INCUMBENT_AT", "file:" + folder.resolve("coordinator.db"));
        Process run = builder.start();

        try (OutputStream in = run.getOutputStream()) {
            in.write("hello\n".getBytes(StandardCharsets.UTF_8));
        }

        assertThat(new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("hello\n");
        RunProcess.await("its end", () -> !run.isAlive());
        assertThat(run.exitValue()).isZero();
    }

    @Test
    void aRunWithinARunHasItsOwnTokenAndPassesTheCodeOn() {
        Path file = folder.resolve("f");
        String inner = String.join(" ", RunProcess.line(folder, "inner"))
                + " -- sh -c 'echo $INCUMBENT_ELECTION $INCUMBENT_TOKEN $INCUMBENT_LEASE_MS >> " + file + "; exit 9'";

        try (RunProcess run = RunProcess.start(folder, "outer", "--lease", "20s", "--", "sh", "-c", "true; " + inner)) {
            assertThat(run.exitCode()).isEqualTo(9);
            assertThat(RunProcess.read(file)).isEqualTo("inner 1 15000\n");
        }
    }

    @Test
    void theHookComesFirstAndItsFailureGivesLeadershipUp() {
        Path file = folder.resolve("f");
        try (RunProcess run = RunProcess.start(
                folder,
                "job",
                "--on-acquire",
                "echo said; echo acquired $INCUMBENT_TOKEN >> " + file,
                "--",
                "sh",
                "-c",
                "echo command >> " + file)) {
            assertThat(run.exitCode()).isZero();
            assertThat(RunProcess.read(file)).isEqualTo("acquired 1\ncommand\n");
            assertThat(run.out()).isEmpty();
            assertThat(run.err()).isEqualTo("said\n");
        }
        try (RunProcess run = RunProcess.start(
                folder, "job", "-E", "75", "--on-acquire", "exit 3", "--", "sh", "-c", "echo never >> " + file)) {
            assertThat(run.exitCode()).isEqualTo(75);
            assertThat(RunProcess.read(file)).doesNotContain("never");
        }
    }

    @Test
    void whoIsUnwellDoesNotStandAndWhoFallsIllLosesTheCommand() throws IOException {
        Path well = folder.resolve("well");
        Path file = folder.resolve("f");
        try (RunProcess run = RunProcess.start(
                folder,
                "job",
                "--health-every",
                "1s",
                "--health-cmd",
                "test -e " + well,
                "--",
                "sh",
                "-c",
                "echo >> " + file + "; sleep 60")) {
            RunProcess.await("a word of it", () -> run.err().contains("the health command fails"));
            assertThat(file).doesNotExist();

            Files.createFile(well);
            RunProcess.awaitLines(file, 1);
            Files.delete(well);

            assertThat(run.exitCode()).isEqualTo(79);
        }
    }

    @Test
    void aSinkIsRaisedBeforeTheCommandAndOneThatIsNotThereIs81() {
        String url = "jdbc:sqlite:" + folder.resolve("ledger.db");
        try (RunProcess run = RunProcess.start(folder, "job", "--sink", url, "--", "true")) {
            assertThat(run.exitCode()).isEqualTo(81);
        }
        ServiceLoader.load(SinkProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.opens(url))
                .findFirst()
                .orElseThrow()
                .install(url);
        try (RunProcess run = RunProcess.start(folder, "job", "--sink", url, "--", "true")) {
            assertThat(run.err()).isEmpty();
            assertThat(run.exitCode()).isZero();
        }
    }
}
