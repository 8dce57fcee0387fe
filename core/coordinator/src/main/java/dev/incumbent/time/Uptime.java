package dev.incumbent.time;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Linux's file {@code /proc/uptime}, held open. Read through a {@link RandomAccessFile} and not a channel: a channel is closed, for everybody, by the first
 * interrupted thread that reads it, and tasks that are being stopped are just that. Thread-safe.
 */
final class Uptime {
    private static final int LONGEST = 64;
    private static final long NANOS_PER_CENTISECOND = 10_000_000L;

    private final ReentrantLock lock = new ReentrantLock();
    private final RandomAccessFile file;

    private Uptime(RandomAccessFile file) {
        this.file = file;
    }

    /** Empty where there is no such file, or it tells no time. */
    static Optional<Uptime> open(Path path) {
        try {
            Uptime opened = new Uptime(new RandomAccessFile(path.toFile(), "r"));
            if (opened.nanos().isPresent()) {
                return Optional.of(opened);
            }
            opened.close();
            return Optional.empty();
        } catch (IOException absent) {
            return Optional.empty();
        }
    }

    /** Empty once it is closed. */
    OptionalLong nanos() {
        byte[] bytes = new byte[LONGEST];
        lock.lock();
        try {
            file.seek(0);
            return parse(bytes, file.read(bytes));
        } catch (IOException gone) {
            return OptionalLong.empty();
        } finally {
            lock.unlock();
        }
    }

    void close() {
        try {
            file.close();
        } catch (IOException nothingIsLostByIt) {
            // A file that was only read loses nothing.
        }
    }

    /** Reads {@code 12345.67} up to the first blank. */
    private static OptionalLong parse(byte[] bytes, int length) {
        String text = new String(bytes, 0, Math.max(0, length), StandardCharsets.US_ASCII);
        int dot = text.indexOf('.');
        int blank = text.indexOf(' ');
        if (dot < 1 || blank != dot + 3) {
            return OptionalLong.empty();
        }
        try {
            long centiseconds = Long.parseLong(text.substring(0, dot) + text.substring(dot + 1, blank));
            return OptionalLong.of(centiseconds * NANOS_PER_CENTISECOND);
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }
}
