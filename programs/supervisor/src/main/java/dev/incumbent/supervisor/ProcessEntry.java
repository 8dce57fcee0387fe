package dev.incumbent.supervisor;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * One process as the kernel shows it under {@code /proc}, read anew at each question. Immutable.
 *
 * <p>Reads by streams, which costs a fifth of what channels do in a JVM that has just begun, and time counts here.
 */
record ProcessEntry(long pid) {
    private static final String PROC = "/proc";
    private static final Pattern UNPRINTABLE = Pattern.compile("[^ -~]");

    /** Where the number of threads stands in {@code stat}, counted behind the name. */
    private static final int THREADS = 17;

    /** Every process there is, from the given id upwards, then those below it. */
    static List<ProcessEntry> allFrom(long first) {
        long[] ids = numbersIn(PROC);
        Arrays.sort(ids);
        List<ProcessEntry> from = new ArrayList<>();
        List<ProcessEntry> below = new ArrayList<>();
        for (long id : ids) {
            (id >= first ? from : below).add(new ProcessEntry(id));
        }
        from.addAll(below);
        return from;
    }

    /** The names in a folder that are numbers; none if the process ended while it was looked at. */
    private static long[] numbersIn(String folder) {
        String[] names = new File(folder).list((parent, name) -> Character.isDigit(name.charAt(0)));
        return names == null
                ? new long[0]
                : Arrays.stream(names).mapToLong(Long::parseLong).toArray();
    }

    private String path(String file) {
        return PROC + "/" + pid + "/" + file;
    }

    /** Its environment, which any of its threads knows, also where the first has ended; empty if it is gone, or not ours to look at. */
    byte[] environment() {
        byte[] environment = read(path("environ"));
        if (environment.length > 0) {
            return environment;
        }
        for (long thread : numbersIn(path("task"))) {
            byte[] known = thread == pid ? environment : read(path("task/" + thread + "/environ"));
            if (known.length > 0) {
                return known;
            }
        }
        return environment;
    }

    /** Its children, by all its threads. */
    List<ProcessEntry> children() {
        List<ProcessEntry> children = new ArrayList<>();
        for (long thread : numbersIn(path("task"))) {
            for (String child : text(path("task/" + thread + "/children")).split(" ", -1)) {
                if (!child.isEmpty()) {
                    children.add(new ProcessEntry(Long.parseLong(child)));
                }
            }
        }
        return children;
    }

    /** Its descendants, found from above. */
    List<ProcessEntry> descendants() {
        return descendantsBut(Set.of());
    }

    /** The same without some that are known to have none of their own. */
    List<ProcessEntry> descendantsBut(Set<ProcessEntry> known) {
        List<ProcessEntry> found = new ArrayList<>();
        addChildrenBut(known, found);
        for (int next = 0; next < found.size(); next++) {
            found.get(next).addChildrenBut(known, found);
        }
        return found;
    }

    private void addChildrenBut(Set<ProcessEntry> known, List<ProcessEntry> found) {
        for (ProcessEntry child : children()) {
            if (!known.contains(child)) {
                found.add(child);
            }
        }
    }

    /** Its process group; empty if it has ended, reaped or not. */
    Optional<Long> group() {
        String stat = text(path("stat"));
        int afterName = stat.lastIndexOf(')');
        if (afterName < 0) {
            return Optional.empty();
        }
        String[] fields = stat.substring(afterName + 2).split(" ", THREADS + 2);
        boolean ended = fields[0].equals("X") || (fields[0].equals("Z") && Integer.parseInt(fields[THREADS]) <= 1);
        return ended ? Optional.empty() : Optional.of(Long.parseLong(fields[2]));
    }

    /** Whether any of its threads has not ended; one whose first thread alone has is shown as a zombie, and goes on. */
    boolean isAlive() {
        return group().isPresent();
    }

    /** False if it is gone, or may not be killed by us. */
    boolean kill() {
        return ProcessHandle.of(pid).map(ProcessHandle::destroyForcibly).orElse(false);
    }

    /** As whom it runs, the effective one; empty if it is gone, or hidden from us. */
    OptionalLong user() {
        return text(path("status"))
                .lines()
                .filter(line -> line.startsWith("Uid:"))
                .mapToLong(line -> Long.parseLong(line.split("\\s+", -1)[2]))
                .findFirst();
    }

    /** As the kernel calls it; people can print it. */
    String name() {
        return UNPRINTABLE.matcher(text(path("comm")).strip()).replaceAll("?");
    }

    private static String text(String file) {
        return new String(read(file), StandardCharsets.ISO_8859_1);
    }

    private static byte[] read(String file) {
        try (FileInputStream in = new FileInputStream(file)) {
            return in.readAllBytes();
        } catch (IOException gone) {
            return new byte[0];
        }
    }
}
