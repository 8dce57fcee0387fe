package dev.incumbent.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Who a server runs as that refuses to run as root: a system user where we are root, else ourselves. */
record Unprivileged(List<String> prefix, String user) {
    /** The first of some users that exists; {@code nobody} always does. */
    static Unprivileged anyOf(String... users) {
        if (!"root".equals(System.getProperty("user.name"))) {
            return new Unprivileged(List.of(), System.getProperty("user.name"));
        }
        for (String user : users) {
            if (succeeds(List.of("id", "-u", user))) {
                return as(user);
            }
        }
        return as("nobody");
    }

    /** The signal at our death is set anew: changing the user drops it. */
    private static Unprivileged as(String user) {
        return new Unprivileged(
                List.of(
                        "setpriv",
                        "--reuid",
                        user,
                        "--regid",
                        group(user),
                        "--clear-groups",
                        "--pdeathsig",
                        "KILL",
                        "--"),
                user);
    }

    private static String group(String user) {
        return Programs.output(List.of("id", "-g", user), Map.of());
    }

    List<String> command(List<String> line) {
        List<String> all = new ArrayList<>(prefix);
        all.addAll(line);
        return all;
    }

    /** Lets it pass through one of our folders. */
    void letIn(TemporaryFolder parent) {
        try {
            Files.setPosixFilePermissions(parent.path(), PosixFilePermissions.fromString("rwx--x--x"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A folder of its own in one of ours. */
    Path folder(TemporaryFolder parent, String name) {
        try {
            letIn(parent);
            return own(Files.createDirectory(parent.resolve(name)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A file that it may read. */
    Path file(TemporaryFolder parent, String name, String content) {
        try {
            return own(Files.writeString(parent.resolve(name), content));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path own(Path path) throws IOException {
        UserPrincipal owner =
                path.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(user);
        return Files.setOwner(path, owner);
    }

    /** Runs something to its end as that user; an error shows what it wrote. */
    void run(List<String> line) {
        Programs.output(command(line), Map.of());
    }

    private static boolean succeeds(List<String> line) {
        try {
            Programs.output(line, Map.of());
            return true;
        } catch (IllegalStateException absent) {
            return false;
        }
    }
}
