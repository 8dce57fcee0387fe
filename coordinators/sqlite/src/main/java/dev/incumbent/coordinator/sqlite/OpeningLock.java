package dev.incumbent.coordinator.sqlite;

import dev.incumbent.sql.DatabaseFiles;
import dev.incumbent.sql.FileIdentity;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * Lets one process at a time open a store, and remembers in a file beside it which files belonged together.
 *
 * <p>SQLite finds its log by name. A database that was renamed into the place of another would so be read through the other's log,
 * and be damaged by its next checkpoint. A log that belongs to another database than the one that bears the name now is
 * therefore taken away first.
 *
 * <p>Where the lock cannot be had, its holder being stopped perhaps, opening goes on without it and takes nothing away.
 */
final class OpeningLock implements AutoCloseable {
    private static final long PARK_NANOS = 1_000_000;
    private static final int LONGEST_NOTE = 4096;

    private final DatabaseFiles files;
    private final Optional<FileChannel> channel;
    private final Optional<FileLock> lock;

    private OpeningLock(DatabaseFiles files, Optional<FileChannel> channel, Optional<FileLock> lock) {
        this.files = files;
        this.channel = channel;
        this.lock = lock;
    }

    /**
     * Waits until nobody else opens that store, or about {@code longestNanos}.
     *
     * @param create may its file be created
     */
    static OpeningLock take(DatabaseFiles files, long longestNanos, boolean create) throws IOException {
        Optional<FileChannel> channel = open(files.beside("-lock"), create);
        if (channel.isEmpty()) {
            return new OpeningLock(files, channel, Optional.empty());
        }
        try {
            Optional<FileLock> lock = tryLock(channel.get());
            for (long parks = longestNanos / PARK_NANOS; lock.isEmpty() && parks > 0; parks--) {
                LockSupport.parkNanos(files, PARK_NANOS);
                lock = tryLock(channel.get());
            }
            return new OpeningLock(files, channel, lock);
        } catch (IOException | RuntimeException e) {
            channel.get().close();
            throw e;
        }
    }

    /** None where this user has no right to it, or must not create it. */
    private static Optional<FileChannel> open(Path file, boolean create) throws IOException {
        try {
            Set<OpenOption> options = new HashSet<>(Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE));
            if (create) {
                options.add(StandardOpenOption.CREATE);
            }
            return Optional.of(FileChannel.open(file, options));
        } catch (AccessDeniedException | NoSuchFileException e) {
            return Optional.empty();
        }
    }

    private static Optional<FileLock> tryLock(FileChannel channel) throws IOException {
        try {
            return Optional.ofNullable(channel.tryLock());
        } catch (OverlappingFileLockException heldInThisProcess) {
            return Optional.empty();
        }
    }

    /** Is nobody else opening the store? Otherwise nothing may be taken away. */
    boolean isHeld() {
        return lock.isPresent();
    }

    /** Takes a log away that belongs to another database than the one that bears the name now, or to none. */
    void discardForeignLog() throws IOException {
        FileIdentity now = files.identity();
        if (isHeld() && (isOrphan(now) || isForeign(now, remembered()))) {
            Files.deleteIfExists(files.log());
            Files.deleteIfExists(files.index());
        }
    }

    /** Remembers the files that a session has opened. */
    void remember(FileIdentity opened) throws IOException {
        if (isHeld() && !opened.equals(remembered())) {
            String note = String.join("\n", opened.database(), opened.log(), opened.index(), "");
            FileChannel notes = channel.orElseThrow();
            notes.truncate(0);
            notes.write(ByteBuffer.wrap(note.getBytes(StandardCharsets.UTF_8)), 0);
        }
    }

    @Override
    public void close() throws IOException {
        if (channel.isPresent()) {
            channel.get().close();
        }
    }

    private static boolean isOrphan(FileIdentity now) {
        return !now.hasDatabase() && (now.hasLog() || !now.index().isEmpty());
    }

    private static boolean isForeign(FileIdentity now, FileIdentity last) {
        boolean otherDatabase = last.hasDatabase() && !last.database().equals(now.database());
        boolean itsLog = now.hasLog() && now.log().equals(last.log());
        boolean itsIndex = !now.index().isEmpty() && now.index().equals(last.index());
        return otherDatabase && (itsLog || itsIndex);
    }

    private FileIdentity remembered() throws IOException {
        ByteBuffer note = ByteBuffer.allocate(LONGEST_NOTE);
        channel.orElseThrow().read(note, 0);
        String[] lines = new String(note.array(), 0, note.position(), StandardCharsets.UTF_8).split("\n", -1);
        return lines.length == 4 ? new FileIdentity(lines[0], lines[1], lines[2]) : FileIdentity.ABSENT;
    }
}
