package dev.incumbent.coordinator.sqlite;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.sql.FileSystems;
import dev.incumbent.sql.Mounts;
import dev.incumbent.time.Timeline;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** Opens the coordinator in a SQLite file, which the processes of one machine share: {@code file:PATH} and {@code jdbc:sqlite:PATH}. */
public final class SqliteCoordinatorProvider implements CoordinatorProvider {
    private static final String FILE = "file:";
    private static final String SQLITE = "jdbc:sqlite:";

    /** For {@link java.util.ServiceLoader}. */
    public SqliteCoordinatorProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of("file", "jdbc:sqlite");
    }

    @Override
    public Coordinator open(String at, Timeline timeline, Duration requestTimeout, Mode mode) {
        Path file = path(at);
        refuseASingleFile(file);
        SqliteStore store = new SqliteStore(file, mode, requestTimeout.dividedBy(2), FileSystems::typeOf);
        return SqliteCoordinator.open(store, new SqliteLane.Clocks(timeline, Boot.current(), requestTimeout));
    }

    private static void refuseASingleFile(Path file) {
        if (Mounts.isSingleFile(file)) {
            throw new CoordinatorUnusableException("the coordinator " + file
                    + " is mounted as a single file, so its log and its locks are not shared with the others that use it;"
                    + " mount its folder");
        }
    }

    @Override
    public Optional<String> missing(String at) {
        Path file = path(at);
        if (Files.exists(file)) {
            return Optional.empty();
        }
        Path folder = file.getParent();
        return Optional.of(
                folder == null || Files.isDirectory(folder)
                        ? "there is no file " + file
                        : "there is no folder " + folder);
    }

    /** The absolute path of a SQLite URI: {@code file:/a/b}, {@code file:///a/b}, {@code file:b}, {@code jdbc:sqlite:b}. */
    private Path path(String at) {
        if (!opens(at)) {
            throw new CoordinatorUnusableException("a URI that begins with '" + at.split(":", 2)[0]
                    + ":' names no SQLite file; write " + FILE + "PATH");
        }
        String prefix = at.startsWith(SQLITE) ? SQLITE : FILE;
        String rest = at.substring(prefix.length());
        String path = rest.startsWith("///") ? rest.substring(2) : rest;
        if (path.isEmpty() || path.startsWith("//") || path.contains(":memory:") || path.endsWith("/")) {
            throw new CoordinatorUnusableException(
                    "the coordinator " + at + " names no file; write " + prefix + "PATH");
        }
        try {
            return Path.of(path).toAbsolutePath().normalize();
        } catch (InvalidPathException e) {
            throw new CoordinatorUnusableException("the coordinator " + at + " names no file: " + e.getMessage(), e);
        }
    }
}
