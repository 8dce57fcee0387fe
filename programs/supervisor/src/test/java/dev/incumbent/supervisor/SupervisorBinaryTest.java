package dev.incumbent.supervisor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SupervisorBinaryTest {
    @TempDir
    private Path folder;

    @Test
    void everySourceOfTheProgramIsAmongTheResources() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("src/main/c"))) {
            Set<String> sources =
                    files.map(Path::toString).collect(Collectors.toCollection(() -> new TreeSet<>(Set.of("build"))));

            assertThat(SupervisorBinary.SOURCES).containsExactlyInAnyOrderElementsOf(sources);
        }
    }

    @Test
    void isBuiltOnFirstUseAndFoundThereafter() throws Exception {
        assertThat(SupervisorBinary.find(folder)).isEmpty();

        Path built = SupervisorBinary.findOrBuild(folder);

        assertThat(SupervisorBinary.find(folder)).hasValue(built);
        assertThat(SupervisorBinary.findOrBuild(folder)).isEqualTo(built);
        assertThat(folder).isDirectoryContaining(built::equals);
        assertThat(filesIn(folder)).containsExactly(built);
    }

    @Test
    void manyMayBuildAtOnce() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(3);
        Callable<Path> build = () -> SupervisorBinary.findOrBuild(folder);
        List<Future<Path>> builds =
                threads.invokeAll(IntStream.range(0, 3).mapToObj(i -> build).toList());
        threads.shutdown();

        for (Future<Path> each : builds) {
            assertThat(each.get()).isExecutable();
        }
        assertThat(filesIn(folder)).hasSize(1);
    }

    @Test
    void aProgramThatOthersMayChangeIsNotExecutedButBuiltAnew() throws Exception {
        Path built = givenIn(folder);
        byte[] program = Files.readAllBytes(built);
        Files.writeString(built, "#!/bin/sh");
        Files.setPosixFilePermissions(built, PosixFilePermissions.fromString("rwxrwxr-x"));

        assertThat(SupervisorBinary.find(folder)).isEmpty();
        assertThat(SupervisorBinary.findOrBuild(folder)).isEqualTo(built).hasBinaryContent(program);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(built)))
                .isEqualTo("rwxr-xr-x");
    }

    @Test
    void aProgramOrFolderThatIsALinkIsNotExecuted() throws Exception {
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        Path built = givenIn(elsewhere);
        Path linked = Files.createDirectory(folder.resolve("linked"));
        Files.createSymbolicLink(linked.resolve(built.getFileName()), built);

        assertThat(SupervisorBinary.find(linked)).isEmpty();
        assertThat(SupervisorBinary.findOrBuild(linked)).isRegularFile().isExecutable();
        assertThat(Files.isSymbolicLink(linked.resolve(built.getFileName()))).isFalse();
    }

    @Test
    void aFolderThatOthersMayWriteIsClosedAndANewOneIsThisUsersAlone() throws Exception {
        Path open = Files.createDirectory(folder.resolve("open"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
        SupervisorBinary.findOrBuild(open);
        SupervisorBinary.findOrBuild(folder.resolve("a/b"));

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(open)))
                .isEqualTo("rwxr-xr-x");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("a/b"))))
                .isEqualTo("rwx------");
    }

    /** Whoever may write to the folder may have put another program in the place of ours. */
    @Test
    void aProgramInAFolderThatOthersMayWriteIsNotExecutedButBuiltAnew() throws Exception {
        Path built = givenIn(folder);
        byte[] program = Files.readAllBytes(built);
        Files.writeString(built, "#!/bin/sh");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));

        assertThat(SupervisorBinary.find(folder)).isEmpty();
        assertThat(SupervisorBinary.findOrBuild(folder)).isEqualTo(built).hasBinaryContent(program);
    }

    @Test
    void aProgramOfAnotherUserIsNotExecutedButBuiltAnew() throws Exception {
        assumeTrue(Files.getOwner(Path.of("/proc/self")).getName().equals("root"), "only root gives a file away");
        Path built = givenIn(folder);
        byte[] program = Files.readAllBytes(built);
        Files.writeString(built, "#!/bin/sh");
        Files.setOwner(
                built, built.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));

        assertThat(SupervisorBinary.find(folder)).isEmpty();
        assertThat(SupervisorBinary.findOrBuild(folder)).isEqualTo(built).hasBinaryContent(program);
    }

    @Test
    void aFolderOfAnotherUserIsRefused() throws Exception {
        assumeTrue(Files.getOwner(Path.of("/proc/self")).getName().equals("root"), "only root gives a folder away");
        Path foreign = Files.createDirectory(folder.resolve("foreign"));
        Path built = givenIn(foreign);
        Files.setOwner(
                foreign, foreign.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));

        assertThat(SupervisorBinary.find(foreign)).isEmpty();
        assertThatThrownBy(() -> SupervisorBinary.findOrBuild(foreign))
                .isInstanceOf(SupervisorUnavailableException.class)
                .hasMessageContaining("it belongs to nobody, who could change what is executed");
        assertThat(built).exists();
    }

    @Test
    void theUsualFolderIsNeverRelative() throws Exception {
        assertThat(SupervisorBinary.defaultFolder("/c", "/h")).isEqualTo(Path.of("/c/incumbent"));
        assertThat(SupervisorBinary.defaultFolder("", "/h")).isEqualTo(Path.of("/h/.cache/incumbent"));
        assertThat(SupervisorBinary.defaultFolder("c", "/h")).isEqualTo(Path.of("/h/.cache/incumbent"));
        assertThatThrownBy(() -> SupervisorBinary.defaultFolder("c", "?"))
                .isInstanceOf(SupervisorUnavailableException.class)
                .hasMessageContaining("this user has no home (\"?\")");
    }

    @Test
    void aFolderThatCannotBeIsNamed() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));

        assertThatThrownBy(() -> SupervisorBinary.findOrBuild(file.resolve("cache")))
                .isInstanceOf(SupervisorUnavailableException.class)
                .hasMessageContaining(file.toString());
    }

    @Test
    void theBuildWithoutACompilerSaysHowToGetOne() throws Exception {
        ProcessBuilder builder =
                new ProcessBuilder("sh", "build", folder.resolve("out").toString());
        builder.environment().put("CC", "no-such-compiler");

        Process build = builder.start();
        String said = new String(build.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(build.waitFor()).isEqualTo(78);
        assertThat(said).contains("no-such-compiler", "apt-get install gcc");
    }

    private Process build(String compiler, String options) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder("sh", "build", folder.resolve("out").toString()).redirectErrorStream(true);
        builder.environment().put("CC", compiler);
        builder.environment().put("CFLAGS", options);
        return builder.start();
    }

    @Test
    void theCompilerMayBeNamedWithItsOptionsAndWarnsOfNothing() throws Exception {
        Process build = build("cc -pipe", "-Werror -Wshadow -Wconversion");

        assertThat(new String(build.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEmpty();
        assertThat(build.waitFor()).isZero();
        assertThat(folder.resolve("out")).isExecutable();
    }

    @Test
    void aWarningOfAnotherCompilerFailsNoBuild() throws Exception {
        Process build = build("cc", "-Wpadded");

        assertThat(new String(build.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .contains("warning");
        assertThat(build.waitFor()).isZero();
        assertThat(folder.resolve("out")).isExecutable();
    }

    /** The program of all tests, as if it had been built there: a build takes seconds. */
    private static Path givenIn(Path folder) throws Exception {
        Path program = TestFolder.binary();
        Path given = Files.copy(program, folder.resolve(program.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
        assertThat(SupervisorBinary.find(folder)).hasValue(given);
        return given;
    }

    private static List<Path> filesIn(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }
}
