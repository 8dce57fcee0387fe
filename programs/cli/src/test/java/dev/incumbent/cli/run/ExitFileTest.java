package dev.incumbent.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.cli.frame.Refusal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file of {@code --json-exit}, and what else may have its name. */
final class ExitFileTest {
    @TempDir
    private Path folder;

    @Test
    void theFileOfAnEarlierRunIsRemovedAtTheStart() throws IOException {
        Path file = Files.writeString(folder.resolve("exit.json"), "old\n");

        new ExitFile(file).prepare();

        assertThat(folder).isEmptyDirectory();
    }

    /** A file that were written in place would change under its other name, too, and a reader could see half of it. */
    @Test
    void theFileIsReplacedAsAWhole() throws IOException {
        Path file = Files.writeString(folder.resolve("exit.json"), "old\n");
        Path before = Files.createLink(folder.resolve("before"), file);

        new ExitFile(file).write("{}");

        assertThat(file).hasContent("{}\n");
        assertThat(before).hasContent("old\n");
        assertThat(folder.toFile().list()).containsExactlyInAnyOrder("exit.json", "before");
    }

    @Test
    void aFileThatCannotBeWrittenIsRefusedAtTheStart() {
        Path file = folder.resolve("none").resolve("exit.json");

        assertThatThrownBy(() -> new ExitFile(file).prepare())
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("--json-exit " + file + " cannot be written: ");
    }

    @Test
    void aPipeIsWrittenWhereItIs() throws Exception {
        Path pipe = folder.resolve("pipe");
        Path read = folder.resolve("read");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        Process reader = new ProcessBuilder("cat", pipe.toString())
                .redirectOutput(read.toFile())
                .start();
        try {
            ExitFile file = new ExitFile(pipe);
            file.prepare();
            file.write("{}");

            assertThat(Files.isRegularFile(pipe)).isFalse();
            assertThat(reader.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(read).hasContent("{}\n");
        } finally {
            reader.destroyForcibly();
        }
    }
}
