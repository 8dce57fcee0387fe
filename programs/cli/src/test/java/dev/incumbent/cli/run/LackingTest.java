package dev.incumbent.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.supervisor.SupervisorBinary;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs whose build is removed, or that lack something, while they wait or lead. */
@Tag("realtime")
final class LackingTest {
    @TempDir
    private Path folder;

    /** A run whose supervisor is a copy that the test may remove. */
    private RunProcess start(Path program, String... arguments) throws Exception {
        if (!Files.exists(program)) {
            Path built =
                    SupervisorBinary.findOrBuild(Path.of("target/supervisor").toAbsolutePath());
            Files.copy(built, program, StandardCopyOption.COPY_ATTRIBUTES);
        }
        List<String> line = new java.util.ArrayList<>(RunProcess.line(folder, arguments));
        line.replaceAll(
                word -> word.startsWith("-Dincumbent.supervisor=") ? "-Dincumbent.supervisor=" + program : word);
        return RunProcess.start(folder, List.of(), line);
    }

    @Test
    void aRunThatWaitedLeadsThoughItsBuildWasRemoved() throws Exception {
        Path program = folder.resolve("program");
        Path begun = folder.resolve("begun");
        try (RunProcess leader = RunProcess.start(folder, "job", "--", "sh", "-c", "echo > " + begun + "; sleep 60")) {
            RunProcess.awaitLines(begun, 1);
            try (RunProcess standby = start(program, "job", "-v", "--", "sh", "-c", "exit 5")) {
                awaitWaiting(standby);
                Files.delete(program);

                leader.signal("TERM");

                assertThat(standby.exitCode()).isEqualTo(5);
            }
        }
    }

    /** A build on a disk that is mounted anew without the right to execute, for a while. */
    @Test
    void withRepeatItStandsAgainUntilASupervisorCanBeHad() throws Exception {
        Path program = folder.resolve("program");
        Path begun = folder.resolve("begun");
        try (RunProcess leader = RunProcess.start(folder, "job", "--", "sh", "-c", "echo > " + begun + "; sleep 60")) {
            RunProcess.awaitLines(begun, 1);
            try (RunProcess standby = start(program, "job", "-v", "--repeat", "--", "sh", "-c", "exit 5")) {
                awaitWaiting(standby);
                Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rw-------"));
                leader.signal("TERM");
                RunProcess.await("a lack", () -> standby.err().contains("no supervisor can be had now: "));

                Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));

                assertThat(standby.exitCode()).isEqualTo(5);
            }
        }
    }

    @Test
    void withoutRepeatALackOfTheSupervisorIs78AndSaidInASentence() throws Exception {
        Path program = folder.resolve("program");
        Path begun = folder.resolve("begun");
        Path json = folder.resolve("exit.json");
        try (RunProcess leader = RunProcess.start(folder, "job", "--", "sh", "-c", "echo > " + begun + "; sleep 60")) {
            RunProcess.awaitLines(begun, 1);
            try (RunProcess standby = start(program, "job", "-v", "--json-exit", json.toString(), "--", "true")) {
                awaitWaiting(standby);
                Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rw-------"));

                leader.signal("TERM");

                assertThat(standby.exitCode()).isEqualTo(78);
                assertThat(standby.err()).contains("no supervisor can be had now: ");
                assertThat(RunProcess.read(json)).contains("\"reason\":\"no-supervisor\"");
            }
        }
    }

    private static void awaitWaiting(RunProcess standby) {
        RunProcess.await(
                "the standby, not: " + standby.err(), () -> standby.err().contains("waits: "));
    }

    @Test
    void aLeaderStaysWellThoughItsBuildWasRemoved() throws Exception {
        Path program = folder.resolve("program");
        Path asked = folder.resolve("asked");
        String[] arguments = {
            "job", "--lease", "3s", "--health-cmd", "echo >> " + asked, "--", "sh", "-c", "sleep 6; exit 4"
        };
        try (RunProcess leader = start(program, arguments)) {
            RunProcess.awaitLines(asked, 2);
            Files.delete(program);

            assertThat(leader.exitCode()).isEqualTo(4);
            assertThat(RunProcess.read(asked).lines().count()).isGreaterThan(3);
        }
    }
}
