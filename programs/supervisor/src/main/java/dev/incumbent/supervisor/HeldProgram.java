package dev.incumbent.supervisor;

import java.io.Closeable;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A program that this process can execute for as long as it lives, also once its file was deleted or replaced by another build: it is
 * held open, and executed through {@code /proc}. Immutable.
 */
public final class HeldProgram implements Closeable {
    private static final Path OWN_FILES = Path.of("/proc/self/fd");

    private final FileInputStream held;
    private final Path path;

    private HeldProgram(FileInputStream held, Path path) {
        this.held = held;
        this.path = path;
    }

    /** Holds the program that is in that file now. */
    public static HeldProgram of(Path file) throws IOException {
        Path real = file.toRealPath();
        FileInputStream held = new FileInputStream(real.toFile());
        return new HeldProgram(
                held,
                numberOf(real)
                        .filter(Files::isExecutable) // not so where /proc is not to be had, or shows other
                        // processes' files to nobody
                        .orElse(real));
    }

    private static Optional<Path> numberOf(Path real) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(OWN_FILES)) {
            for (Path file : files) {
                if (leadsTo(file, real)) {
                    return Optional.of(Path.of(
                            "/proc",
                            Long.toString(ProcessHandle.current().pid()),
                            "fd",
                            file.getFileName().toString()));
                }
            }
        }
        return Optional.empty();
    }

    private static boolean leadsTo(Path link, Path real) {
        try {
            return Files.readSymbolicLink(link).equals(real);
        } catch (IOException closedMeanwhile) {
            return false;
        }
    }

    /** What is to be executed. */
    public Path path() {
        return path;
    }

    @Override
    public void close() throws IOException {
        held.close();
    }
}
