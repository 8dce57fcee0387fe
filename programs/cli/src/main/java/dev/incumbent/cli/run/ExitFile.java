package dev.incumbent.cli.run;

import dev.incumbent.cli.frame.Refusal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** The file of {@code --json-exit}: whoever reads it finds all of it or nothing, and never that of a run before. */
record ExitFile(Path path) {
    /** Removes what a run before has left; one that could not be written is refused before anything runs. */
    void prepare() {
        try {
            if (isSpecial()) {
                return;
            }
            Files.deleteIfExists(path);
            Files.delete(Files.createFile(unfinished()));
        } catch (IOException e) {
            throw Refusal.configuration("--json-exit " + path + " cannot be written: " + e);
        }
    }

    void write(String json) throws IOException {
        byte[] line = (json + "\n").getBytes(StandardCharsets.UTF_8);
        if (isSpecial()) {
            Files.write(path, line, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
            return;
        }
        Files.write(unfinished(), line);
        Files.move(unfinished(), path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** A pipe, a device or a descriptor such as {@code /dev/fd/3} is written where it is. */
    private boolean isSpecial() {
        boolean isFileOrNothing = Files.isRegularFile(path) || Files.isDirectory(path) || !Files.exists(path);
        return !isFileOrNothing || path.toAbsolutePath().startsWith("/dev");
    }

    private Path unfinished() {
        Path whole = path.toAbsolutePath();
        return whole.resolveSibling(
                "." + whole.getFileName() + "." + ProcessHandle.current().pid());
    }
}
