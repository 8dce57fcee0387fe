package dev.incumbent.fence.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Writes that are on the disk when they return. */
final class Disk {
    private Disk() {}

    /** The whole file anew, or as it was: written beside it, then renamed into its place. */
    static void replace(Path path, byte[] bytes) throws IOException {
        Path next = path.resolveSibling(path.getFileName() + ".next");
        try (FileChannel file = FileChannel.open(
                next, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            if (Files.exists(path)) {
                Files.setPosixFilePermissions(next, Files.getPosixFilePermissions(path));
            }
            writeFully(file, bytes);
            file.force(true);
        }
        Files.move(next, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        forceFolder(path);
    }

    /** At the end of the file, which is made where it is missing; after an error it is cut back to what it was. */
    static void append(Path path, byte[] bytes) throws IOException {
        boolean isNew = !Files.exists(path);
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            long before = file.size();
            file.position(before);
            try {
                writeFully(file, bytes);
                file.force(true);
            } catch (IOException e) {
                file.truncate(before);
                throw e;
            }
        }
        if (isNew) {
            forceFolder(path);
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
