package dev.incumbent.benchmarks.many;

import dev.incumbent.time.SystemTimeline;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * The process that is measured: one holder, first with one office, for what it costs to be there at all, then with all of them. It tells what it sees in
 * lines, and goes on when it reads one. {@code incumbent|tasks|jetcd URI OFFICES LEASE-SECONDS}, "tasks" being ours with a task each.
 */
final class HoldingProcess {
    private static final Duration LOOK = Duration.ofMillis(5);
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final int COLLECTIONS = 8;
    private static final Duration BETWEEN_COLLECTIONS = Duration.ofMillis(500);
    private static final int SHOWN = 60;
    private static final Pattern VIRTUAL_THREADS = Pattern.compile(
            "(?m)^ *\\d+: +\\d+ +(\\d+) +(?:jdk\\.internal\\.vm\\.StackChunk|java\\.lang\\.VirtualThread)");

    private final SystemTimeline timeline = new SystemTimeline();

    private HoldingProcess() {}

    public static void main(String[] args) throws Exception {
        Duration lease = Duration.ofSeconds(Long.parseLong(args[3]));
        int threads = libraryThreads();
        try (Holder holder = args[0].equals("jetcd")
                ? new JetcdHolder(args[1], lease)
                : new IncumbentHolder(args[1], lease, args[0].equals("tasks"))) {
            new HoldingProcess().measure(holder, Integer.parseInt(args[2]), threads);
        }
        System.exit(0);
    }

    private void measure(Holder holder, int offices, int threadsWithout) throws Exception {
        holder.standFor("offices/first");
        await(holder, 1);
        SystemTimeline.sleep(Duration.ofSeconds(1));
        long heapBefore = heap();
        long begun = timeline.nanos();
        for (int i = 0; i < offices; i++) {
            holder.standFor("offices/" + i);
        }
        boolean won = await(holder, offices + 1);
        long nanos = timeline.nanos() - begun;
        tell("won", Map.of("all", Boolean.toString(won), "seconds", Double.toString(nanos / 1e9)));
        pause();
        Map<String, String> held = new TreeMap<>(holder.remarks());
        held.put("held", Integer.toString(holder.held()));
        held.put("threads", Integer.toString(libraryThreads() - threadsWithout));
        held.put("tasks", Integer.toString(taskThreads()));
        held.put("heap", Double.toString((heap() - heapBefore) / (double) offices));
        String histogram = histogram();
        held.put("stacks", Double.toString(virtualThreads(histogram) / (double) offices));
        if (Boolean.getBoolean("histogram")) {
            System.err.println(String.join("\n", histogram.lines().limit(SHOWN).toList()));
        }
        tell("held", held);
        pause();
    }

    private boolean await(Holder holder, int offices) throws InterruptedException {
        long end = timeline.nanos() + PATIENCE.toNanos();
        while (holder.held() < offices && timeline.nanos() < end) {
            SystemTimeline.sleep(LOOK);
        }
        return holder.held() >= offices;
    }

    private static void tell(String what, Map<String, String> figures) {
        StringBuilder line = new StringBuilder(what);
        new TreeMap<>(figures)
                .forEach((name, value) ->
                        line.append(' ').append(name).append('=').append(value));
        System.out.println(line);
    }

    private static void pause() throws IOException {
        if (System.in.read() < 0) {
            System.exit(1);
        }
    }

    /** Platform threads other than those of offices' tasks; those of the JVM are there before, too. */
    private static int libraryThreads() {
        return ManagementFactory.getThreadMXBean().getThreadCount() - taskThreads();
    }

    /** A JVM without virtual threads gives each task one of the platform. */
    private static int taskThreads() {
        return (int) Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("incumbent-task-"))
                .count();
    }

    /** What is held, in bytes: the least of several looks, for an answer that is just being read is not. */
    private static long heap() throws InterruptedException {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
            least = Math.min(
                    least,
                    ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
            SystemTimeline.sleep(BETWEEN_COLLECTIONS);
        }
        return least;
    }

    /** Which classes the heap is made of. */
    private static String histogram() throws JMException {
        String all = String.valueOf(ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                        "gcClassHistogram",
                        new Object[] {new String[0]},
                        new String[] {String[].class.getName()}));
        return all;
    }

    /** The bytes of virtual threads, which are those of offices' tasks, with their stacks; their names are not among them. */
    private static long virtualThreads(String histogram) {
        Matcher line = VIRTUAL_THREADS.matcher(histogram);
        long bytes = 0;
        while (line.find()) {
            bytes += Long.parseLong(line.group(1));
        }
        return bytes;
    }
}
