package dev.incumbent.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Which file a command's name means, and what is told where it means none: as every shell has it. */
@Timeout(90)
final class CommandSearchTest {
    private static final int LONG = 60_000;
    private static final int NO_ENTRY = 2;
    private static final int NO_ACCESS = 13;

    @TempDir
    private Path folder;

    private Path write(String name, String rights) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\nexit 7\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(rights));
    }

    /** In the folder, with that word of {@code env} about PATH. */
    private List<String> run(String path, String command) throws IOException {
        try (BareSupervisor supervisor = BareSupervisor.by(folder, ("/usr/bin/env " + path).split(" ", -1))) {
            supervisor.start(LONG, command);
            return supervisor.toTheEnd();
        }
    }

    private static List<String> executed() {
        return List.of("started", "exited 7", "gone self");
    }

    private static List<String> notExecuted(int error) {
        return List.of("noexec " + error, "gone noexec");
    }

    @Test
    void aFolderOrFileThatMayNotBeExecutedIsPassedOver() throws Exception {
        write("one/tool", "rw-r--r--");
        write("two/tool", "rwxr-xr-x");

        assertThat(run("PATH=" + folder + "/one:" + folder + "/two", "tool")).isEqualTo(executed());
    }

    @Test
    void whatMayNotBeExecutedIsToldWhereNoOtherFolderHasIt() throws Exception {
        write("one/tool", "rw-r--r--");

        assertThat(run("PATH=" + folder + "/one:/usr/bin", "tool")).isEqualTo(notExecuted(NO_ACCESS));
        assertThat(run("PATH=/usr/bin:" + folder + "/one", "tool")).isEqualTo(notExecuted(NO_ACCESS));
    }

    @Test
    void whatIsNoFolderIsPassedOver() throws Exception {
        Path file = write("two/tool", "rwxr-xr-x");

        assertThat(run("PATH=" + file + ":" + folder + "/none:" + folder + "/two", "tool"))
                .isEqualTo(executed());
    }

    @Test
    void theFirstFolderThatHasItIsTaken() throws Exception {
        write("one/tool", "rwxr-xr-x");
        Files.writeString(write("two/tool", "rwxr-xr-x"), "#!/bin/sh\nexit 8\n");

        assertThat(run("PATH=" + folder + "/one:" + folder + "/two", "tool")).isEqualTo(executed());
    }

    @Test
    void anEmptyFolderOfThePathIsTheWorkingOne() throws Exception {
        write("tool", "rwxr-xr-x");

        assertThat(run("PATH=:/usr/bin", "tool")).isEqualTo(executed());
        assertThat(run("PATH=/usr/bin", "tool")).isEqualTo(notExecuted(NO_ENTRY));
    }

    @Test
    void withoutAPathTheUsualFoldersAreLookedAt() throws Exception {
        assertThat(run("-u PATH", "true")).containsExactly("started", "exited 0", "gone self");
    }

    @Test
    void aNameWithASlashIsAPath() throws Exception {
        write("sub/tool", "rwxr-xr-x");

        assertThat(run("PATH=/usr/bin", "sub/tool")).isEqualTo(executed());
    }

    @Test
    void anEmptyNameIsNoFileAtAll() throws Exception {
        assertThat(run("PATH=/usr/bin", "")).isEqualTo(notExecuted(NO_ENTRY));
    }
}
