package dev.incumbent.supervisor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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

    private static List<Path> filesIn(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }
}
