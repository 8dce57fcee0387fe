package dev.incumbent.fence.sql;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Who holds SQLite's write locks, where the system lists its locks ({@code /proc/locks}). That list is made under a lock of the kernel's own, and may take some
 * milliseconds.
 */
final class SqliteLock {
    /** The byte that a writer locks in the log's index, and the one in the file itself where there is no log. */
    private static final long IN_LOG_INDEX = 120;

    private static final long IN_FILE = 0x40000001L;

    /** The last of the index's locks, of which the writer's is the first; and all that SQLite locks in the file itself. */
    private static final long LAST_IN_LOG_INDEX = 127;

    private static final long FIRST_IN_FILE = 0x40000000L;
    private static final long LAST_IN_FILE = 0x400001ffL;
    private static final Path LOCKS = Path.of("/proc/locks");

    private SqliteLock() {}

    static Optional<String> holder(SqliteFile file) {
        try {
            List<String> locks = Files.readAllLines(LOCKS);
            return holder(locks, Path.of(file.path() + "-shm"), IN_LOG_INDEX)
                    .or(() -> holder(locks, file.path(), IN_FILE))
                    .map(SqliteLock::process);
        } catch (IOException unknown) {
            return Optional.empty();
        }
    }

    /**
     * Does this process hold a lock of SQLite's for writing on that file? True where it cannot be known: a file system in a container may list its files under another
     * device than they tell.
     */
    static boolean isHeldHere(Path locked) {
        try {
            String self = Files.readSymbolicLink(Path.of("/proc/self")).toString();
            String device = device((Long) Files.getAttribute(locked, "unix:dev"));
            String file = device + Files.getAttribute(locked, "unix:ino");
            List<String> locks = Files.readAllLines(LOCKS);
            return locks.isEmpty()
                    || writing(locks)
                            .filter(words -> words[4].equals(self) && isOfSqlite(words))
                            .anyMatch(words -> words[5].equals(file) || !words[5].startsWith(device));
        } catch (IOException | UnsupportedOperationException unknown) {
            return true;
        }
    }

    /** Is one of these locks on a log's index the writer's? */
    static boolean isForWriting(List<String> locksOnIndex) {
        return writing(locksOnIndex).anyMatch(words -> first(words) <= IN_LOG_INDEX && IN_LOG_INDEX <= last(words));
    }

    /** As the list has it: the major and the minor number, of twelve and twenty bits in the kernel's order. */
    private static String device(long number) {
        return String.format("%02x:%02x:", number >> 8 & 0xfff, (number & 0xff) | (number >> 12 & 0xfff00));
    }

    private static Optional<Long> holder(List<String> locks, Path locked, long at) {
        long inode;
        try {
            inode = (Long) Files.getAttribute(locked, "unix:ino");
        } catch (IOException | UnsupportedOperationException unknown) {
            return Optional.empty();
        }
        return writing(locks)
                .filter(words -> words[5].endsWith(":" + inode) && first(words) <= at && at <= last(words))
                .map(words -> Long.parseLong(words[4]))
                .findFirst();
    }

    /** The words of each lock for writing that is held. */
    private static Stream<String[]> writing(List<String> locks) {
        return locks.stream()
                .map(line -> line.trim().split("\\s+"))
                .filter(words -> words.length == 8 && words[3].equals("WRITE"));
    }

    /** Neighbouring locks are listed as one. */
    private static boolean isOfSqlite(String[] words) {
        return first(words) == IN_LOG_INDEX
                ? last(words) <= LAST_IN_LOG_INDEX
                : first(words) >= FIRST_IN_FILE && last(words) <= LAST_IN_FILE;
    }

    private static long first(String[] words) {
        return Long.parseLong(words[6]);
    }

    private static long last(String[] words) {
        return words[7].equals("EOF") ? Long.MAX_VALUE : Long.parseLong(words[7]);
    }

    private static String process(long pid) {
        if (pid == ProcessHandle.current().pid()) {
            return "this process";
        }
        String command = ProcessHandle.of(pid)
                .flatMap(process -> process.info().command())
                .map(path -> " (" + path + ")")
                .orElse("");
        return "process " + pid + command;
    }
}
