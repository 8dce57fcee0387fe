package dev.incumbent.coordinator.jdbc;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.time.Timeline;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * Opens coordinators in SQL databases: {@code file:PATH} and {@code jdbc:sqlite:PATH}, a SQLite file shared by the processes of one
 * machine; {@code postgresql://}, {@code mariadb://} and {@code mysql://}, with or without {@code jdbc:} before it, a server; {@code jdbc:h2:file:PATH}, a file of
 * this process.
 */
public final class JdbcCoordinatorProvider implements CoordinatorProvider {
    private static final String FILE = "file:";
    private static final String SQLITE = "jdbc:sqlite:";

    /** For {@link java.util.ServiceLoader}. */
    public JdbcCoordinatorProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of("file", "jdbc", "postgresql", "postgres", "mariadb", "mysql");
    }

    @Override
    public Coordinator open(String at, Timeline timeline, Duration requestTimeout, Mode mode) {
        if (!at.startsWith(FILE) && !at.startsWith(SQLITE)) {
            return openServer(at, timeline, requestTimeout, mode);
        }
        SqliteStore store = new SqliteStore(path(at), mode, requestTimeout.dividedBy(2), FileSystems::typeOf);
        return SqliteCoordinator.open(store, new SqliteLane.Clocks(timeline, Boot.current(), requestTimeout));
    }

    @Override
    public Optional<String> missing(String at) {
        if (!at.startsWith(FILE) && !at.startsWith(SQLITE)) {
            return Optional.empty();
        }
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

    private static Coordinator openServer(String at, Timeline timeline, Duration requestTimeout, Mode mode) {
        ServerAddress address = ServerAddress.of(at, System::getenv)
                .orElseThrow(
                        () -> new CoordinatorUnusableException(
                                "no SQL coordinator is known for " + label(at)
                                        + "; known are file:PATH, postgresql://USER@HOST:PORT/DATABASE, mariadb://, mysql:// and jdbc:h2:file:PATH"));
        return ServerCoordinator.open(new ServerStore(address.withItsDriver(), mode, requestTimeout), timeline);
    }

    /** A URI without what may be a password. */
    private static String label(String at) {
        return at.replaceFirst("//[^/]*@", "//").split("[;?]", 2)[0];
    }

    /** The absolute path of a SQLite URI: {@code file:/a/b}, {@code file:///a/b}, {@code file:b}, {@code jdbc:sqlite:b}. */
    private static Path path(String at) {
        String prefix = at.startsWith(FILE) ? FILE : SQLITE;
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
