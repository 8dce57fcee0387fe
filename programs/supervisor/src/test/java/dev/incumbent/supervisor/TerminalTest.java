package dev.incumbent.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Plays each scene of {@code src/test/python/terminal_scenes.py} at a pseudo-terminal of its own. */
final class TerminalTest {
    private static final String SCENES = "src/test/python/terminal_scenes.py";

    private static final List<String> OFTEN = List.of(
            "foreground_reads_the_terminal",
            "ctrl_c_trapped",
            "ctrl_c_not_trapped",
            "ctrl_z_and_foreground_again",
            "background_job",
            "inside_a_script",
            "an_interactive_shell_as_command",
            "ctrl_c_ends_a_pipeline");

    @TempDir
    private static Path folder;

    private static Path launcher() {
        return folder.resolve("launcher");
    }

    @BeforeAll
    static void writeLauncher() throws IOException {
        TestFolder.binary();
        List<String> words = new ArrayList<>(WrapperProcess.line(List.of("$OPTIONS")));
        words.replaceAll(word -> word.equals("$OPTIONS") ? word : "'" + word + "'");
        write(launcher(), "exec " + String.join(" ", words) + " \"$@\"\n");
    }

    private static void write(Path script, String line) throws IOException {
        Files.writeString(script, "#!/bin/sh\n" + line);
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    }

    /** What people do most. The others take a minute more. */
    @TestFactory
    Stream<DynamicTest> atATerminal() throws Exception {
        assertThat(scenes()).containsAll(OFTEN);
        return OFTEN.stream().map(scene -> DynamicTest.dynamicTest(scene, () -> play(scene)));
    }

    @TestFactory
    @Tag("trial")
    Stream<DynamicTest> atATerminalInRarerWays() throws Exception {
        return scenes().stream()
                .filter(scene -> !OFTEN.contains(scene))
                .map(scene -> DynamicTest.dynamicTest(scene, () -> play(scene)));
    }

    private static List<String> scenes() throws Exception {
        Played list = python(SCENES, "--list");
        assertThat(list.code()).as(list.said()).isZero();
        return list.said().lines().toList();
    }

    /** So that "as under flock" is shown, and not said. */
    @TestFactory
    @Tag("trial")
    Stream<DynamicTest> atATerminalUnderFlock() throws Exception {
        Path flock = folder.resolve("flock");
        write(flock, "exec flock " + folder.resolve("lock") + " \"$@\"\n");
        Played list = python(SCENES, "--beside-flock");
        assertThat(list.code()).as(list.said()).isZero();
        return list.said().lines().map(scene -> DynamicTest.dynamicTest(scene, () -> play(scene, flock)));
    }

    private static void play(String scene) throws Exception {
        play(scene, launcher());
    }

    private static void play(String scene, Path launcher) throws Exception {
        Played played = python(SCENES, scene, launcher.toString());

        assertThat(played.code()).as(played.said()).isZero();
    }

    private record Played(int code, String said) {}

    private static Played python(String... arguments) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of("python3"));
        line.addAll(Arrays.asList(arguments));
        try {
            Process python = new ProcessBuilder(line).redirectErrorStream(true).start();
            String said = new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Played(python.waitFor(), said);
        } catch (IOException e) {
            throw new IOException(
                    "the scenes at a terminal need python3 (and bash): on Debian, apt-get install python3", e);
        }
    }
}
