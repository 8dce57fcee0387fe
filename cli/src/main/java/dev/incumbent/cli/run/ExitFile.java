package dev.incumbent.cli.run;

import dev.incumbent.cli.frame.Refusal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** The file of {@code --json-exit}: whoever reads it finds all of it or nothing, and never that of a run before. */
record ExitFile(Path path) {
    /** Removes what a run before has left; one that could not be written is refused before anything runs. */
    void prepare() {
        try {
            if (isSpecial()) {
                return;
            }
            Files.deleteIfExists(path);
            Files.delete(Files.createTempFile(folder(), ".incumbent", ".json"));
        } catch (IOException e) {
            throw Refusal.configuration("--json-exit " + path + " cannot be written: " + e);
        }
    }

    void write(String json) throws IOException {
        byte[] line = (json + "\n").getBytes(StandardCharsets.UTF_8);
        if (isSpecial()) {
            Files.write(path, line);
            return;
        }
        Path unfinished = Files.createTempFile(folder(), ".incumbent", ".json");
        Files.write(unfinished, line);
        Files.move(unfinished, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** A pipe or a device is written where it is. */
    private boolean isSpecial() {
        return Files.exists(path) && !Files.isRegularFile(path) && !Files.isDirectory(path);
    }

    private Path folder() {
        Path parent = path.toAbsolutePath().getParent();
        return parent == null ? path.toAbsolutePath() : parent;
    }
}
