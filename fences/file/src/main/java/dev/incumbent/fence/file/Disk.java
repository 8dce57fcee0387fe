package dev.incumbent.fence.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Writes that are on the disk when they return. No link is followed: whoever plants one in the folder would have another file written.
 *
 * <p>An interrupt closes a channel in the middle of a write, so this is called in a {@link Turns turn}, on a thread that nobody interrupts.
 */
final class Disk {
    private Disk() {}

    /** The file of that name itself. */
    static FileChannel open(Path path, StandardOpenOption... how) throws IOException {
        Set<OpenOption> options = new HashSet<>(List.of(how));
        options.add(LinkOption.NOFOLLOW_LINKS);
        try {
            return FileChannel.open(path, options);
        } catch (IOException e) {
            if (Files.isSymbolicLink(path)) {
                throw new IOException(path + " is a link, and no link is followed in its place: remove it", e);
            }
            throw e;
        }
    }

    /** The whole file anew, or as it was: written beside it, then renamed into its place. It keeps its owner, its group and its rights. */
    static void replace(Path path, byte[] bytes) throws IOException {
        Path next = path.resolveSibling(path.getFileName() + ".next");
        Files.deleteIfExists(next);
        try (FileChannel file = open(next, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
                keepOwner(path, next);
            }
            writeFully(file, bytes);
            file.force(true);
            Files.move(next, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            remove(next, e);
            throw e;
        }
        forceFolder(path);
    }

    private static void keepOwner(Path path, Path next) throws IOException {
        if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(path + " is a link, or no file at all, and was a file before");
        }
        keep(path, next, "unix:gid", "group");
        keep(path, next, "unix:uid", "user");
        Files.getFileAttributeView(next, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .setPermissions(Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS));
    }

    private static void keep(Path path, Path next, String id, String whose) throws IOException {
        Object kept = Files.getAttribute(path, id, LinkOption.NOFOLLOW_LINKS);
        if (kept.equals(Files.getAttribute(next, id, LinkOption.NOFOLLOW_LINKS))) {
            return;
        }
        try {
            Path unused = Files.setAttribute(next, id, kept, LinkOption.NOFOLLOW_LINKS);
        } catch (FileSystemException e) {
            throw new IOException(
                    path + " belongs to " + whose + " " + kept + ", and this process may not give its next version to "
                            + whose + " " + kept + ": " + e.getReason(),
                    e);
        }
    }

    private static void remove(Path next, IOException failure) {
        try {
            boolean unused = Files.deleteIfExists(next);
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    /** At the end of the file, which is made where it is missing; after an error it is cut back to what it was. */
    static void append(Path path, byte[] bytes) throws IOException {
        boolean isNew = !Files.exists(path, LinkOption.NOFOLLOW_LINKS);
        try (FileChannel file = open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            long before = file.size();
            file.position(before);
            try {
                writeFully(file, bytes);
                file.force(true);
            } catch (IOException e) {
                cutBack(file, before, e);
                throw e;
            }
        }
        if (isNew) {
            forceFolder(path);
        }
    }

    private static void cutBack(FileChannel file, long before, IOException failure) {
        try {
            file.truncate(before);
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    private static void writeFully(FileChannel file, byte[] bytes) throws IOException {
        for (ByteBuffer left = ByteBuffer.wrap(bytes); left.hasRemaining(); ) {
            int written = file.write(left);
            if (written < 0) {
                throw new IOException("nothing more could be written");
            }
        }
    }

    /** So that a name that was given is there after a loss of power. */
    private static void forceFolder(Path path) throws IOException {
        Path folder = path.toAbsolutePath().getParent();
        if (folder != null) {
            try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
                names.force(true);
            }
        }
    }
}
