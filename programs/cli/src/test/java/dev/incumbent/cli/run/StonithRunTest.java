package dev.incumbent.cli.run;

import static dev.incumbent.cli.run.RunProcess.PAST_A_SHORT_LEASE;
import static dev.incumbent.cli.run.RunProcess.SHORT_LEASE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs in JVMs of their own have their predecessor turned off by a real program, or fail to. */
@Tag("realtime")
final class StonithRunTest {
    private static final String APPENDS = "echo >> $0; sleep 60";

    @TempDir
    private Path folder;

    /** The first is killed, and its command with it; its node counts as on until the agent has seen it off. */
    @Test
    void aCommandStartsOnceTheFormerLeadersNodeWasTurnedOffAndSeenOff() throws Exception {
        Path power = Files.createFile(folder.resolve("power"));
        Path file = devices("off = rm " + power, "status = test -e " + power + " && exit 0; exit 2");
        Path log = folder.resolve("log");
        try (RunProcess first = start(file, "n1", log)) {
            RunProcess.awaitLines(log, 1);
            first.signal("KILL");
            try (RunProcess second = start(file, "n2", log)) {
                RunProcess.awaitLinesWithin(PAST_A_SHORT_LEASE, log, 2);

                assertThat(power).doesNotExist();
                assertThat(second.err()).contains("or turns node n1 off").contains("acts no more: off");
            }
        }
    }

    @Test
    void whereTheAgentFailsTheCommandIsNotStartedAndThePersonIsToldWhatToDo() throws Exception {
        Path file = devices("off = echo no route to n1; exit 1", "status = exit 2");
        Path log = folder.resolve("log");
        try (RunProcess first = start(file, "n1", log)) {
            RunProcess.awaitLines(log, 1);
            first.signal("KILL");
            try (RunProcess second = start(file, "n2", log)) {
                assertThat(second.exitCodeWithin(PAST_A_SHORT_LEASE)).isEqualTo(81);
                assertThat(second.err())
                        .contains("off exits with 1: no route to n1")
                        .contains("incumbent stonith confirm job n1 --term 1 --why TEXT");
                assertThat(RunProcess.read(log)).isEqualTo("\n");
            }
        }
    }

    /** On one machine nothing is turned off: that nothing of the former run lives is the proof. */
    @Test
    void onTheSameMachineItsAbsenceIsProof() throws Exception {
        Path file = devices("off = touch " + folder.resolve("off"), "status = exit 2");
        Path log = folder.resolve("log");
        try (RunProcess first = start(file, "n2", log)) {
            RunProcess.awaitLines(log, 1);
            first.signal("KILL");
            try (RunProcess second = start(file, "n2", log)) {
                RunProcess.awaitLinesWithin(PAST_A_SHORT_LEASE, log, 2);

                assertThat(second.err()).contains("acts no more: absent");
                assertThat(folder.resolve("off")).doesNotExist();
            }
        }
    }

    private Path devices(String off, String status) throws IOException {
        Path file = folder.resolve("stonith.conf");
        Files.writeString(file, "[switch]\n" + off + "\n" + status + "\npcmk_host_list = n1\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    private RunProcess start(Path file, String node, Path log) {
        List<String> arguments =
                new ArrayList<>(List.of("job", "--lease", SHORT_LEASE.toSeconds() + "s", "--stonith", file.toString()));
        arguments.addAll(List.of("--stonith-node", node, "--", "sh", "-c", APPENDS, log.toString()));
        return RunProcess.start(folder, arguments.toArray(new String[0]));
    }
}
