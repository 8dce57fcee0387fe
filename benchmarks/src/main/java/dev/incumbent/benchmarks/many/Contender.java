package dev.incumbent.benchmarks.many;

import dev.incumbent.time.SystemTimeline;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One who holds offices in a process of its own, on a server of its own, and what was seen of it. */
final class Contender {
    /** What is left over from winning is over by then. */
    private static final Duration SETTLING = Duration.ofSeconds(5);

    private final String who;
    private final String storeName;
    private final int offices;
    private final Duration lease;
    private final int leases;

    Contender(String who, String storeName, int offices, Duration lease, int leases) {
        this.who = who;
        this.storeName = storeName;
        this.offices = offices;
        this.lease = lease;
        this.leases = leases;
    }

    /**
     * What was seen.
     *
     * @param wonAll were all offices won within the patience
     * @param keepAlives per third of a lease, at the server
     * @param lost offices not held any more at the end
     * @param tasks platform threads of offices' tasks
     * @param heap bytes an office
     * @param stacks bytes of these that are a task's virtual thread
     */
    record Seen(
            String name,
            boolean wonAll,
            double seconds,
            double keepAlives,
            long lost,
            int threads,
            int tasks,
            double heap,
            double stacks,
            String remarks) {
        /** Bytes an office, without what its task's thread takes. */
        double heapOfOurs() {
            return heap - stacks;
        }
    }

    Seen measure() throws Exception {
        try (Store store = Store.start(storeName);
                SystemTimeline timeline = new SystemTimeline()) {
            Process process = launch(store);
            try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
                    OutputStream goOn = process.getOutputStream()) {
                Map<String, String> won = await("won", lines);
                SystemTimeline.sleep(SETTLING);
                long keptBefore = store.countKeepAlives();
                long since = timeline.nanos();
                SystemTimeline.sleep(lease.multipliedBy(leases));
                long kept = store.countKeepAlives() - keptBefore;
                double thirds = (timeline.nanos() - since) / (lease.toNanos() / 3.0);
                nod(goOn);
                Map<String, String> held = await("held", lines);
                nod(goOn);
                return seen(won, held, kept / thirds);
            } finally {
                process.destroyForcibly();
            }
        }
    }

    private Process launch(Store store) throws IOException {
        String uri = who.equals("jetcd") ? store.endpoint() : store.uri();
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx1g",
                        "-Xss512k",
                        "-XX:+UseSerialGC",
                        "-XX:MarkSweepAlwaysCompactCount=1", // else what is dead at the beginning of the heap counts,
                        // three times of four
                        "-Dhistogram=" + Boolean.getBoolean("histogram"),
                        "-cp",
                        System.getProperty("java.class.path"),
                        HoldingProcess.class.getName(),
                        who,
                        uri,
                        Integer.toString(offices),
                        Long.toString(lease.toSeconds()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private Seen seen(Map<String, String> won, Map<String, String> held, double keepAlives) {
        int stillHeld = integer(held, "held");
        return new Seen(
                (who.equals("tasks") ? "incumbent, tasks," : who) + " on " + storeName,
                Boolean.parseBoolean(won.get("all")),
                number(won, "seconds"),
                keepAlives,
                Math.max(0, offices + 1 - stillHeld),
                integer(held, "threads"),
                integer(held, "tasks"),
                number(held, "heap"),
                number(held, "stacks"),
                "terms begun " + held.get("terms") + ", failures told " + held.get("failures"));
    }

    private static int integer(Map<String, String> figures, String name) {
        return (int) number(figures, name);
    }

    private static double number(Map<String, String> figures, String name) {
        return Double.parseDouble(figures.getOrDefault(name, "NaN"));
    }

    private static Map<String, String> await(String what, BufferedReader lines) throws IOException {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            List<String> words = List.of(line.split(" ", -1));
            if (words.get(0).equals(what)) {
                Map<String, String> figures = new HashMap<>();
                words.stream().skip(1).map(word -> word.split("=", 2)).forEach(pair -> figures.put(pair[0], pair[1]));
                return figures;
            }
        }
        throw new IllegalStateException("the process that is measured ended before it told what it " + what);
    }

    private static void nod(OutputStream goOn) throws IOException {
        goOn.write('\n');
        goOn.flush();
    }
}
