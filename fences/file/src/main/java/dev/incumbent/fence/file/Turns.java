package dev.incumbent.fence.file;

import dev.incumbent.time.SystemTimeline;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * One at a time works on a file, whatever its process: a POSIX lock on a file beside it. Its second byte is a queue of one: who waits for the first holds it, so that
 * nobody overtakes whoever waits.
 *
 * <p>A process's locks on a file go with the first descriptor of it that the process closes, whoever opened that. So a process has one descriptor for each lock file, for
 * as long as it lives, and its threads queue for that. A lock file that was replaced is noticed, since others would lock the new one.
 */
final class Turns {
    private static final Map<Path, Turns> OF_THIS_PROCESS = new ConcurrentHashMap<>();
    private static final Duration BREATH = Duration.ofMillis(1);

    private final Path path;
    private final Semaphore threads = new Semaphore(1, true);
    /** Works on the disk: an interrupt of whoever waits for it would close its channels in the middle. */
    private final ThreadPoolExecutor disk;

    private Optional<Opened> opened = Optional.empty();

    private record Opened(FileChannel channel, Object key) {}

    /** What is done in a turn. */
    interface Work<T> {
        T done() throws IOException;
    }

    private Turns(Path path) {
        this.path = path;
        this.disk = new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), this::newThread);
        disk.allowCoreThreadTimeOut(true);
    }

    private Thread newThread(Runnable work) {
        Thread thread = new Thread(work, "incumbent " + path);
        thread.setDaemon(true);
        return thread;
    }

    static Turns at(Path lockFile) {
        return OF_THIS_PROCESS.computeIfAbsent(lockFile, Turns::new);
    }

    /** Works alone; waits for that at most so long. Whoever is interrupted while it waits has no turn; work that was begun is done, and the interrupt is kept. */
    <T> T alone(Duration atMost, Work<T> work) throws IOException, TimeoutException, InterruptedException {
        try (SystemTimeline time = new SystemTimeline()) {
            long end = time.nanos() + atMost.toNanos();
            if (!threads.tryAcquire(atMost.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new TimeoutException("another thread of this process works on it");
            }
            try {
                return locked(time, end, work);
            } finally {
                threads.release();
            }
        }
    }

    private <T> T locked(SystemTimeline time, long end, Work<T> work)
            throws IOException, TimeoutException, InterruptedException {
        while (true) {
            Opened file = opened();
            try (FileLock queue = awaited(file.channel(), 1, time, end);
                    FileLock turn = awaited(file.channel(), 0, time, end)) {
                queue.release();
                if (turn.isValid() && file.key().equals(key())) {
                    return undisturbed(work);
                }
            }
            close(file);
        }
    }

    private <T> T undisturbed(Work<T> work) throws IOException {
        CompletableFuture<T> result = new CompletableFuture<>();
        disk.execute(() -> {
            try {
                result.complete(work.done());
            } catch (Throwable e) {
                result.completeExceptionally(e);
            }
        });
        try {
            return result.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof IOException failure) {
                throw failure;
            }
            throw e.getCause() instanceof RuntimeException known ? known : e;
        }
    }

    private static FileLock awaited(FileChannel channel, long at, SystemTimeline time, long end)
            throws IOException, TimeoutException, InterruptedException {
        for (FileLock lock = channel.tryLock(at, 1, false); ; lock = channel.tryLock(at, 1, false)) {
            if (lock != null) {
                return lock;
            }
            if (time.nanos() - end >= 0) {
                throw new TimeoutException("another process works on it");
            }
            SystemTimeline.sleep(BREATH);
        }
    }

    private Opened opened() throws IOException {
        if (opened.isPresent() && !opened.get().key().equals(key())) {
            close(opened.get());
        }
        if (opened.isEmpty()) {
            FileChannel channel = Disk.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            opened = Optional.of(new Opened(channel, key()));
        }
        return opened.get();
    }

    private void close(Opened file) throws IOException {
        opened = Optional.empty();
        file.channel().close();
    }

    /** Which file bears the name now: its device and inode. */
    private Object key() throws IOException {
        try {
            Object key = Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                    .fileKey();
            return key == null ? path : key;
        } catch (NoSuchFileException gone) {
            return "none";
        }
    }
}
