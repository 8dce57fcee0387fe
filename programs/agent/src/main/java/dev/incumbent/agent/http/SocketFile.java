package dev.incumbent.agent.http;

import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * The place of one Unix socket, kept for this agent by a lock on {@code PATH.lock}. A socket's file is removed by its name, so two agents with one name would remove
 * each other's. The lock's file stays.
 */
final class SocketFile implements AutoCloseable {
    private static final int KIND = 0170000;
    private static final int SOCKET = 0140000;

    private static final Set<OpenOption> AS_A_LOCK =
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    /** Whoever may read a file may lock it, and would keep the agent out. */
    private static final FileAttribute<Set<PosixFilePermission>> OWNERS_ALONE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final FileChannel lock;

    private SocketFile(FileChannel lock) {
        this.lock = lock;
    }

    /** Keeps the place, and removes what an agent that was killed left there, and nothing else. */
    static SocketFile keep(Path path) throws IOException {
        Path name = path.resolveSibling(path.getFileName() + ".lock");
        FileChannel lock = FileChannel.open(name, AS_A_LOCK, OWNERS_ALONE);
        try {
            if (!isHeld(lock)) {
                throw new IOException(path + " is in use: another agent holds " + name);
            }
            removeStale(path);
            return new SocketFile(lock);
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    private static boolean isHeld(FileChannel lock) throws IOException {
        try {
            return lock.tryLock() != null;
        } catch (OverlappingFileLockException ourOwn) {
            return false;
        }
    }

    private static void removeStale(Path path) throws IOException {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Object mode = Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
        if (((Integer) mode & KIND) != SOCKET) {
            throw new IOException(path + " is no socket, and stays");
        }
        if (isListenedOn(path)) {
            throw new IOException(path + " is in use: another process listens on it");
        }
        Files.delete(path);
    }

    private static boolean isListenedOn(Path path) throws IOException {
        try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            return probe.connect(UnixDomainSocketAddress.of(path));
        } catch (ConnectException nobodyListens) {
            return false;
        }
    }

    @Override
    public void close() {
        try {
            lock.close();
        } catch (IOException e) {
            // It is let go of with the process.
        }
    }
}
