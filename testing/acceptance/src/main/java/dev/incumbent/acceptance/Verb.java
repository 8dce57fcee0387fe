package dev.incumbent.acceptance;

import dev.incumbent.servers.TemporaryFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** One command line of {@code incumbent}, as a process of its own. */
final class Verb {
    private Verb() {}

    /** What it printed, results and all else; throws with that where it ends with another exit code. */
    static String run(int code, String... words) {
        try (TemporaryFolder folder = TemporaryFolder.create("verb")) {
            Path errors = Files.createFile(folder.resolve("err"));
            Process process = JavaChild.start(errors.toFile(), "dev.incumbent.cli.Main", List.of(words));
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int ended = process.waitFor();
            String all = said + Files.readString(errors);
            if (ended != code) {
                throw new IllegalStateException(
                        "incumbent " + String.join(" ", words) + " ended with " + ended + " and said " + all);
            }
            return all;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
