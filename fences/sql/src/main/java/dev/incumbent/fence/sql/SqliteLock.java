package dev.incumbent.fence.sql;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Who holds a file's write lock: told where the system lists its locks ({@code /proc/locks}), for people alone. */
final class SqliteLock {
    /** The byte that a writer locks in the log's index, and the one in the file itself where there is no log. */
    private static final long IN_LOG_INDEX = 120;

    private static final long IN_FILE = 0x40000001L;

    private SqliteLock() {}

    static Optional<String> holder(SqliteFile file) {
        try {
            List<String> locks = Files.readAllLines(Path.of("/proc/locks"));
            return holder(locks, Path.of(file.path() + "-shm"), IN_LOG_INDEX)
                    .or(() -> holder(locks, file.path(), IN_FILE))
                    .map(SqliteLock::process);
        } catch (IOException unknown) {
            return Optional.empty();
        }
    }

    private static Optional<Long> holder(List<String> locks, Path locked, long at) {
        long inode;
        try {
            inode = (Long) Files.getAttribute(locked, "unix:ino");
        } catch (IOException | UnsupportedOperationException unknown) {
            return Optional.empty();
        }
        return locks.stream()
                .map(line -> line.trim().split("\\s+"))
                .filter(words -> words.length == 8 && words[3].equals("WRITE") && words[5].endsWith(":" + inode))
                .filter(words -> Long.parseLong(words[6]) <= at && at <= end(words[7]))
                .map(words -> Long.parseLong(words[4]))
                .findFirst();
    }

    private static long end(String word) {
        return word.equals("EOF") ? Long.MAX_VALUE : Long.parseLong(word);
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
