package dev.incumbent.agent.elections;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The process that does an owner's work.
 *
 * @param pid as this agent sees it
 * @param begun in ticks since the host started, so that another process that gets the same number is not taken for it
 */
public record OwnerProcess(long pid, long begun) {
    private static final Path PROCESSES = Path.of("/proc");
    private static final int STATE = 0;
    private static final int BEGUN = 19;

    /** The one that has this number now; empty if none has, or the kernel does not tell. */
    public static Optional<OwnerProcess> of(long pid) {
        return of(PROCESSES, pid);
    }

    static Optional<OwnerProcess> of(Path processes, long pid) {
        try {
            OwnerProcess now = new OwnerProcess(pid, Long.parseLong(stat(folder(processes, pid))[BEGUN]));
            return Optional.of(now).filter(one -> !one.isGone(processes));
        } catch (IOException | RuntimeException untold) {
            return Optional.empty();
        }
    }

    /** Has it ended, with all of its threads? False while nobody can tell, as where this agent has too many open files. */
    boolean isGone() {
        return isGone(PROCESSES);
    }

    boolean isGone(Path processes) {
        Path folder = folder(processes, pid);
        try {
            String[] fields = stat(folder);
            return Long.parseLong(fields[BEGUN]) != begun || (hasEnded(fields) && noThreadLives(folder));
        } catch (NoSuchFileException gone) {
            return Files.isDirectory(processes.resolve("self"));
        } catch (IOException | RuntimeException unknown) {
            return false;
        }
    }

    /** A first thread that has ended does not end the others: one of a process that is killed may be stuck in the kernel, and write later. */
    private static boolean noThreadLives(Path folder) throws IOException {
        List<Path> threads;
        try (Stream<Path> listed = Files.list(folder.resolve("task"))) {
            threads = listed.toList();
        }
        for (Path thread : threads) {
            if (lives(thread)) {
                return false;
            }
        }
        return true;
    }

    private static boolean lives(Path thread) throws IOException {
        try {
            return !hasEnded(stat(thread));
        } catch (NoSuchFileException gone) {
            return false;
        }
    }

    private static boolean hasEnded(String[] fields) {
        return fields[STATE].equals("Z") || fields[STATE].equals("X");
    }

    private static Path folder(Path processes, long pid) {
        return processes.resolve(Long.toString(pid));
    }

    /** What stands behind the name. */
    private static String[] stat(Path folder) throws IOException {
        String stat = new String(Files.readAllBytes(folder.resolve("stat")), StandardCharsets.ISO_8859_1);
        return stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    }
}
