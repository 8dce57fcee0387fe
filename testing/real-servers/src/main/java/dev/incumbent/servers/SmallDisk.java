package dev.incumbent.servers;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;

/** A disk of some megabytes, kept in memory, for a server that is to run out of room. Mounting it needs the rights of root. Not thread-safe. */
public final class SmallDisk implements AutoCloseable {
    private static final String BALLAST = "ballast";
    private static final byte[] PIECE = new byte[4_096];

    private final TemporaryFolder mountPoint;

    private SmallDisk(TemporaryFolder mountPoint) {
        this.mountPoint = mountPoint;
    }

    /** May disks be mounted here? Tries it, once a JVM. */
    public static boolean isPossible() {
        return Trial.SUCCEEDED;
    }

    private static final class Trial {
        static final boolean SUCCEEDED = succeeds();

        private static boolean succeeds() {
            try (SmallDisk disk = ofMegabytes(1)) {
                return Files.isDirectory(disk.mountPoint.path());
            } catch (IllegalStateException notAllowed) {
                return false;
            }
        }
    }

    /** Mounts one. */
    public static SmallDisk ofMegabytes(int size) {
        TemporaryFolder folder = TemporaryFolder.create("disk");
        try {
            String unused = Command.run(
                    List.of(
                            "mount",
                            "-t",
                            "tmpfs",
                            "-o",
                            "size=" + size + "m",
                            "tmpfs",
                            folder.path().toString()),
                    Map.of());
        } catch (IllegalStateException notAllowed) {
            folder.close();
            throw notAllowed;
        }
        return new SmallDisk(folder);
    }

    /** A new folder on it, gone with it at the latest. */
    public TemporaryFolder folder(String name) {
        try {
            return new TemporaryFolder(Files.createDirectory(mountPoint.resolve(name)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Takes all the room that is left. */
    public void fill() {
        try (OutputStream ballast = Files.newOutputStream(mountPoint.resolve(BALLAST))) {
            while (true) {
                ballast.write(PIECE);
            }
        } catch (IOException full) {
            if (!String.valueOf(full.getMessage()).contains("No space left")) {
                throw new UncheckedIOException(full);
            }
        }
    }

    /** Takes all but so many of its pages of 4 KiB. */
    public void fillBut(int pages) {
        fill();
        try (FileChannel ballast = FileChannel.open(mountPoint.resolve(BALLAST), StandardOpenOption.WRITE)) {
            FileChannel unused = ballast.truncate(ballast.size() - (long) pages * PIECE.length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Gives it back. */
    public void makeRoom() {
        try {
            Files.deleteIfExists(mountPoint.resolve(BALLAST));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Unmounts it; whoever still uses it keeps it until then. */
    @Override
    public void close() {
        String unused =
                Command.run(List.of("umount", "--lazy", mountPoint.path().toString()), Map.of());
        mountPoint.close();
    }
}
