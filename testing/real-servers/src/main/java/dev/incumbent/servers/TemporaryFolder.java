package dev.incumbent.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** A folder of a server's own, removed with all that is in it when closed. */
public record TemporaryFolder(Path path) implements AutoCloseable {
    /** Several servers run at once, and some take hundreds of megabytes. */
    private static final long LEAST_MEMORY = 2L << 30;

    public static TemporaryFolder create(String name) {
        try {
            return new TemporaryFolder(Files.createTempDirectory("incumbent-" + name + "-"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** One that takes no disk's time where the machine has room for that: what is written there outlives the processes, and not the machine. */
    public static TemporaryFolder createInMemory(String name) {
        Path memory = Path.of("/dev/shm");
        try {
            return Files.isWritable(memory) && Files.getFileStore(memory).getUsableSpace() > LEAST_MEMORY
                    ? new TemporaryFolder(Files.createTempDirectory(memory, "incumbent-" + name + "-"))
                    : create(name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public Path resolve(String name) {
        return path.resolve(name);
    }

    /** Makes a folder in it. */
    Path makeFolder(String name) {
        try {
            return Files.createDirectory(resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes a file into it. */
    Path write(String name, String content) {
        try {
            return Files.writeString(resolve(name), content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Copies a folder with all that is in it. */
    static void copy(Path from, Path to) {
        try (var all = Files.walk(from)) {
            for (Path one : all.toList()) {
                Path target = to.resolve(from.relativize(one).toString());
                if (Files.isDirectory(one)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(one, target);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Copies a folder with owners and rights, into one that is not there yet. */
    static void copyWithOwners(Path from, Path to) {
        Programs.output(List.of("cp", "-a", from.toString(), to.toString()), Map.of());
    }

    /** Puts a copy in the place of a folder. */
    static void putBack(Path copy, Path place) {
        new TemporaryFolder(place).close();
        copyWithOwners(copy, place);
    }

    @Override
    public void close() {
        for (int attempt = 1; !removed(); attempt++) {
            if (attempt == 5) {
                throw new IllegalStateException(path + " cannot be removed: something still writes into it");
            }
        }
    }

    /** False if something was written meanwhile. */
    private boolean removed() {
        if (!Files.exists(path)) {
            return true;
        }
        try (var files = Files.walk(path)) {
            List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : deepestFirst) {
                Files.deleteIfExists(file);
            }
            return true;
        } catch (NoSuchFileException | java.nio.file.DirectoryNotEmptyException meanwhile) {
            return false;
        } catch (IOException | UncheckedIOException e) {
            return false;
        }
    }
}
