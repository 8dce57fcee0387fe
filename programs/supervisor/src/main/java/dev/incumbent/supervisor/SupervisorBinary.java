package dev.incumbent.supervisor;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds the supervisor's program, or builds it on first use on the machine that will run it.
 *
 * <p>It lies in a folder under a name that holds a digest of its source, so that no wrapper meets another version's
 * supervisor, and is put there whole by a rename: any number of processes may build at once.
 */
public final class SupervisorBinary {
    /** What it is built from, as it lies among the resources. */
    static final List<String> SOURCES = List.of(
            "build",
            "src/main/c/cgroup.c",
            "src/main/c/cgroup.h",
            "src/main/c/clock.c",
            "src/main/c/clock.h",
            "src/main/c/command.c",
            "src/main/c/command.h",
            "src/main/c/denial.c",
            "src/main/c/denial.h",
            "src/main/c/device.c",
            "src/main/c/device.h",
            "src/main/c/hold.c",
            "src/main/c/hold.h",
            "src/main/c/inherit.c",
            "src/main/c/inherit.h",
            "src/main/c/main.c",
            "src/main/c/orders.c",
            "src/main/c/orders.h",
            "src/main/c/pids.h",
            "src/main/c/signals.c",
            "src/main/c/signals.h",
            "src/main/c/start.c",
            "src/main/c/start.h",
            "src/main/c/steps.c",
            "src/main/c/steps.h",
            "src/main/c/supervise.c",
            "src/main/c/supervise.h",
            "src/main/c/terminal.c",
            "src/main/c/terminal.h",
            "src/main/c/tree.c",
            "src/main/c/tree.h",
            "src/main/c/wire.c",
            "src/main/c/wire.h");

    private SupervisorBinary() {}

    /** The folder that is used where none is given: {@code incumbent} in the user's cache. A relative one of the environment is not heeded, as its standard wants. */
    public static Path defaultFolder() throws SupervisorUnavailableException {
        return defaultFolder(System.getenv().getOrDefault("XDG_CACHE_HOME", ""), System.getProperty("user.home"));
    }

    static Path defaultFolder(String cache, String home) throws SupervisorUnavailableException {
        if (Path.of(cache).isAbsolute()) {
            return Path.of(cache, "incumbent");
        }
        if (!Path.of(home).isAbsolute()) {
            throw new SupervisorUnavailableException("this user has no home (\"" + home
                    + "\"), so the supervisor has no place; set XDG_CACHE_HOME to a folder of this user's");
        }
        return Path.of(home, ".cache", "incumbent");
    }

    /** The program's path if it has been built in the folder, and nobody but this user or root could have changed it. */
    public static Optional<Path> find(Path folder) {
        Path binary = pathIn(folder);
        return PrivateFiles.isOurs(binary) && Files.isExecutable(binary) ? Optional.of(binary) : Optional.empty();
    }

    /** The program's path in the folder, where it is built if need be; takes about a second then. */
    public static Path findOrBuild(Path folder) throws SupervisorUnavailableException {
        Optional<Path> found = find(folder);
        if (found.isPresent()) {
            return found.get();
        }
        try {
            PrivateFiles.makeOurs(folder);
            Path source = Files.createTempDirectory(folder, "supervisor-source-");
            try {
                unpackInto(source);
                return build(source, pathIn(folder));
            } finally {
                delete(source);
            }
        } catch (IOException e) {
            throw new SupervisorUnavailableException("the supervisor cannot be built in " + folder + ": " + e, e);
        }
    }

    private static Path pathIn(Path folder) {
        return folder.resolve("incumbent-supervisor-" + System.getProperty("os.arch") + "-" + digest());
    }

    private static Path build(Path source, Path output) throws IOException, SupervisorUnavailableException {
        Path unfinished = source.resolve("incumbent-supervisor");
        Process compiler = new ProcessBuilder("sh", source.resolve("build").toString(), unfinished.toString())
                .redirectErrorStream(true)
                .start();
        compiler.getOutputStream().close();
        String said = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (exitCode(compiler) != 0) {
            throw new SupervisorUnavailableException(said.strip());
        }
        Files.setPosixFilePermissions(unfinished, PosixFilePermissions.fromString("rwxr-xr-x"));
        return Files.move(unfinished, output, StandardCopyOption.ATOMIC_MOVE);
    }

    private static int exitCode(Process process) throws IOException {
        try {
            return process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the compiler ran", e);
        }
    }

    private static void unpackInto(Path folder) throws IOException {
        for (String name : SOURCES) {
            Path file = folder.resolve(name);
            Files.createDirectories(folder.resolve(name).resolveSibling("."));
            Files.write(file, read(name));
        }
    }

    private static byte[] read(String name) throws IOException {
        try (InputStream in = SupervisorBinary.class.getResourceAsStream("source/" + name)) {
            if (in == null) {
                throw new IOException("this build lacks the supervisor's source " + name);
            }
            return in.readAllBytes();
        }
    }

    private static String digest() {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (String name : SOURCES) {
                digest.update(read(name));
            }
            return HexFormat.of().formatHex(digest.digest(), 0, 8);
        } catch (IOException | NoSuchAlgorithmException e) {
            throw new IllegalStateException("the supervisor's source cannot be read", e);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
