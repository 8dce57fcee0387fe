package dev.incumbent.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a JVM holds at an instant, as Linux and {@code jcmd} tell it.
 *
 * @param threads how many there are of each name, without the numbers in it
 * @param files open file descriptors, sockets among them
 * @param heapBytes what is in use after a collection
 * @param residentBytes all its memory
 */
public record Footprint(Map<String, Integer> threads, int files, long heapBytes, long residentBytes) {
    private static final Pattern USED = Pattern.compile(" total \\d+K, used (\\d+)K");
    private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(3);
    private static final int KILOBYTE = 1 << 10;
    private static final int MEGABYTE = 1 << 20;

    public Footprint {
        threads = Map.copyOf(threads);
    }

    /** Of that process, after a collection. */
    public static Footprint of(long pid) {
        Path process = Path.of("/proc", Long.toString(pid));
        try {
            var unused = jcmd(pid, "GC.run");
            long heap = USED.matcher(jcmd(pid, "GC.heap_info"))
                    .results()
                    .mapToLong(found -> Long.parseLong(found.group(1)))
                    .sum();
            Matcher resident = RESIDENT.matcher(Files.readString(process.resolve("status")));
            long all = resident.find() ? Long.parseLong(resident.group(1)) : 0;
            return new Footprint(threads(process), files(process), heap * KILOBYTE, all * KILOBYTE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, Integer> threads(Path process) throws IOException {
        Map<String, Integer> threads = new TreeMap<>();
        try (Stream<Path> all = Files.list(process.resolve("task"))) {
            for (Path thread : all.toList()) {
                threads.merge(nameOf(thread), 1, Integer::sum);
            }
        }
        return threads;
    }

    private static String nameOf(Path thread) {
        try {
            return Files.readString(thread.resolve("comm"), StandardCharsets.ISO_8859_1)
                    .strip()
                    .replaceAll("\\d+", "N");
        } catch (IOException endedMeanwhile) {
            return "ended";
        }
    }

    private static int files(Path process) throws IOException {
        try (Stream<Path> all = Files.list(process.resolve("fd"))) {
            return (int) all.count();
        }
    }

    private static String jcmd(long pid, String what) throws IOException {
        String program = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        Process asked = new ProcessBuilder(program, Long.toString(pid), what)
                .redirectErrorStream(true)
                .start();
        return new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    /** Tells what {@code grown} tells; asks again until that is nothing, or the time is over. To ask costs much of a processor, so that it is asked seldom. */
    public static List<String> settled(Duration atMost, Supplier<List<String>> grown) {
        List<String> now = grown.get();
        for (long left = atMost.toNanos(); !now.isEmpty() && left > 0; left -= BETWEEN_LOOKS.toNanos()) {
            LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
            now = grown.get();
        }
        return now;
    }

    /** In all. */
    public int threadCount() {
        return threads.values().stream().mapToInt(Integer::intValue).sum();
    }

    /**
     * What is more than it was, and more than is allowed.
     *
     * @param more of threads, and of files
     * @param moreBytes of the heap
     */
    public List<String> growthSince(Footprint before, int more, long moreBytes) {
        List<String> grown = new ArrayList<>();
        if (threadCount() > before.threadCount() + more) {
            grown.add("threads: " + before.threadCount() + " before, " + threadCount() + " after: " + added(before));
        }
        if (files > before.files + more) {
            grown.add("file descriptors: " + before.files + " before, " + files + " after");
        }
        if (heapBytes > before.heapBytes + moreBytes) {
            grown.add("heap: " + before.heapBytes + " bytes before, " + heapBytes + " after");
        }
        return grown;
    }

    private Map<String, Integer> added(Footprint before) {
        Map<String, Integer> more = new TreeMap<>();
        threads.forEach((name, count) -> {
            int grown = count - before.threads.getOrDefault(name, 0);
            if (grown > 0) {
                more.put(name, grown);
            }
        });
        return more;
    }

    /** In one line. */
    @Override
    public String toString() {
        return threadCount() + " threads, " + files + " file descriptors, heap " + heapBytes / MEGABYTE
                + " MiB, resident " + residentBytes / MEGABYTE + " MiB";
    }
}
