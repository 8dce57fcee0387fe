package dev.incumbent.supervisor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One process as the kernel shows it under {@code /proc}, read anew at each question. Immutable. */
record ProcessEntry(long pid) {
    private static final Path PROC = Path.of("/proc");

    /** Every process there is, in ascending order, so that what is forked meanwhile comes later. */
    static List<ProcessEntry> all() {
        return numbersIn(PROC).stream().map(ProcessEntry::new).toList();
    }

    private static List<Long> numbersIn(Path folder) {
        List<Long> numbers = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                String name = String.valueOf(entry.getFileName());
                if (Character.isDigit(name.charAt(0))) {
                    numbers.add(Long.parseLong(name));
                }
            }
        } catch (IOException | DirectoryIteratorException gone) {
            return numbers; // the process ended while it was looked at
        }
        return numbers;
    }

    /** Its environment; empty if it is gone, a zombie, or not ours to look at. */
    byte[] environment() {
        return read(PROC.resolve(pid + "/environ"));
    }

    /** Its children, by all its threads. */
    List<ProcessEntry> children() {
        Path threads = PROC.resolve(pid + "/task");
        List<ProcessEntry> children = new ArrayList<>();
        for (long thread : numbersIn(threads)) {
            String list = text(threads.resolve(thread + "/children"));
            for (String child : list.split(" ", -1)) {
                if (!child.isEmpty()) {
                    children.add(new ProcessEntry(Long.parseLong(child)));
                }
            }
        }
        return children;
    }

    /** Its descendants, found from above. */
    List<ProcessEntry> descendants() {
        List<ProcessEntry> found = new ArrayList<>(children());
        for (int next = 0; next < found.size(); next++) {
            found.addAll(found.get(next).children());
        }
        return found;
    }

    /** Its process group; empty if it has ended, reaped or not. */
    Optional<Long> group() {
        String stat = text(PROC.resolve(pid + "/stat"));
        int afterName = stat.lastIndexOf(')');
        if (afterName < 0) {
            return Optional.empty();
        }
        String[] fields = stat.substring(afterName + 2).split(" ", 4);
        boolean ended = fields[0].equals("Z") || fields[0].equals("X");
        return ended ? Optional.empty() : Optional.of(Long.parseLong(fields[2]));
    }

    boolean isAlive() {
        return group().isPresent();
    }

    void kill() {
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }

    private static String text(Path file) {
        return new String(read(file), StandardCharsets.ISO_8859_1);
    }

    private static byte[] read(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException gone) {
            return new byte[0];
        }
    }
}
