package dev.incumbent.supervisor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/** Files and folders that only this user, or root, may change. What we execute lies in such a one, and is such a one. */
final class PrivateFiles {
    private static final Set<PosixFilePermission> OF_OTHERS =
            EnumSet.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);

    private static final String UID = "unix:uid";
    private static final Integer ROOT = 0;

    private PrivateFiles() {}

    /** Is that a file in a folder, neither of which anybody else may change? No link to one. */
    static boolean isOurs(Path file) {
        try {
            PosixFileAttributes folder = Files.readAttributes(file.resolveSibling("."), PosixFileAttributes.class);
            PosixFileAttributes found =
                    Files.readAttributes(file, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return found.isRegularFile()
                    && isOwnedByUs(file, LinkOption.NOFOLLOW_LINKS)
                    && isClosed(found)
                    && isOwnedByUs(file.resolveSibling("."))
                    && isClosed(folder);
        } catch (IOException e) {
            return false;
        }
    }

    /** Makes the folder where it is missing, and closes it to others; refuses one of another user. */
    static void makeOurs(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(folder.toAbsolutePath().getParent());
            Files.createDirectories(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        PosixFileAttributes found = Files.readAttributes(folder, PosixFileAttributes.class);
        if (!isOwnedByUs(folder)) {
            throw new IOException("it belongs to " + found.owner().getName()
                    + ", who could change what is executed; set XDG_CACHE_HOME to a folder of this user's");
        }
        if (!isClosed(found)) {
            Set<PosixFilePermission> left = EnumSet.copyOf(found.permissions());
            left.removeAll(OF_OTHERS);
            Files.setPosixFilePermissions(folder, left);
        }
    }

    private static boolean isClosed(PosixFileAttributes found) {
        return found.permissions().stream().noneMatch(OF_OTHERS::contains);
    }

    private static boolean isOwnedByUs(Path path, LinkOption... options) throws IOException {
        Object owner = Files.getAttribute(path, UID, options);
        return owner.equals(ROOT) || owner.equals(Files.getAttribute(Path.of("/proc/self"), UID));
    }
}
