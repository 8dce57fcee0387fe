package dev.incumbent.acceptance;

import dev.incumbent.acceptance.Store.Running;
import dev.incumbent.servers.PostgresServer;
import dev.incumbent.servers.TemporaryFolder;
import dev.incumbent.time.SystemTimeline;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Measures how long after the leader's process was killed or stopped the next row of another leader is accepted by a fenced PostgreSQL, in all elections that it led: with processes that hear each other, and without. Arguments: the stores, {@code --kills N}; {@code --elections N} of each process;
 * {@code --stop} sends SIGSTOP instead of SIGKILL, and SIGCONT once another one writes. Prints a row a store, and fails if a row in the ledger bears a lower token than one before it.
 */
public final class FastFailover {
    static final String TABLE = "ledger";
    private static final long LEASE_MILLIS = 2_000;
    private static final int CANDIDATES = 3;
    private static final int KILLS = 100;
    /** Long enough for a new candidate to be connected with all, and for the one that was killed before to leave the list: with it before them others would wait for their turn. */
    private static final Duration SETTLES = Duration.ofMillis(LEASE_MILLIS + 300);

    private static final Duration SEEN = Duration.ofMillis(20);
    private static final int UNHEARD_PART = 10;
    private static final double NANOS_PER_MILLI = 1e6;

    private final SystemTimeline time = new SystemTimeline();
    private final TemporaryFolder folder;
    private final PostgresServer postgres;
    private final Plan plan;
    private final BlockingQueue<Said> said = new LinkedBlockingQueue<>();
    /** Of each election who wrote last. */
    private final Map<Integer, Said> leaders = new HashMap<>();

    private int started;

    private record Plan(int kills, int elections, boolean stops) {}

    /** The first row of a term, and when it was read. */
    private record Said(Process by, long token, int election, long atNanos) {}

    /** How long it took, and whether a transaction of the old leader was open meanwhile. */
    private record Gap(double millis, boolean isInTransaction) {}

    private FastFailover(TemporaryFolder folder, PostgresServer postgres, Plan plan) {
        this.folder = folder;
        this.postgres = postgres;
        this.plan = plan;
    }

    public static void main(String[] arguments) throws Exception {
        List<String> names = new ArrayList<>(List.of(arguments));
        Plan plan = new Plan(option(names, "--kills", KILLS), option(names, "--elections", 1), names.remove("--stop"));
        System.out.println("| coordinator | elections | " + (plan.stops() ? "stops" : "kills")
                + " | accepted again in all of them: median | p99 | max | without beats, lease " + LEASE_MILLIS / 1000
                + " s: median | max |");
        System.out.println("|---|---|---|---|---|---|---|---|");
        boolean holds = true;
        try (TemporaryFolder folder = TemporaryFolder.create("fast-failover")) {
            for (Store store : Stores.named(names)) {
                try (Running running = store.begin().call();
                        PostgresServer ledger = PostgresServer.start()) {
                    holds &= new FastFailover(folder, ledger, plan).row(store.name(), running.uri());
                }
            }
        }
        System.exit(holds ? 0 : 1);
    }

    private static int option(List<String> words, String name, int otherwise) {
        int at = words.indexOf(name);
        if (at < 0) {
            return otherwise;
        }
        int value = Integer.parseInt(words.get(at + 1));
        words.subList(at, at + 2).clear();
        return value;
    }

    private boolean row(String store, String uri) throws Exception {
        String name = "fast/" + store;
        Ledger ledger = Ledger.create(postgres.jdbcUrl(), HeardWriter.election(name, 0), TABLE);
        List<Gap> heard = gaps(uri, name, "127.0.0.1:0", plan.kills());
        List<Gap> unheard = gaps(uri, name, "unheard", Math.max(1, plan.kills() / UNHEARD_PART));
        print(store, heard, unheard);
        Ledger.Audit audit = ledger.auditOfEach();
        System.err.println(store + ": " + audit.rows() + " rows, " + audit.late() + " out of order");
        return audit.late() == 0;
    }

    private void print(String store, List<Gap> heard, List<Gap> unheard) {
        List<Double> outside = millis(heard, false);
        List<Double> inside = millis(heard, true);
        List<Double> without = millis(unheard, false);
        System.out.println(String.format(
                Locale.ROOT,
                "| %s | %d | %d | %.0f ms | %.0f ms | %.0f ms | %.0f ms | %.0f ms |",
                store,
                plan.elections(),
                outside.size(),
                part(outside, 0.5),
                part(outside, 0.99),
                part(outside, 1),
                part(without, 0.5),
                part(without, 1)));
        System.err.println("each in ms: " + outside);
        if (!inside.isEmpty()) {
            System.err.println("within an open transaction of the old leader, in ms: " + inside);
        }
    }

    private static List<Double> millis(List<Gap> gaps, boolean inTransaction) {
        List<Double> millis = new ArrayList<>();
        gaps.stream().filter(gap -> gap.isInTransaction() == inTransaction).forEach(gap -> millis.add(gap.millis()));
        Collections.sort(millis);
        return millis;
    }

    private static double part(List<Double> sorted, double of) {
        return sorted.isEmpty() ? Double.NaN : sorted.get(Math.max(0, (int) Math.ceil(sorted.size() * of) - 1));
    }

    private List<Gap> gaps(String uri, String name, String heardAt, int kills) throws Exception {
        List<Process> writers = new ArrayList<>();
        List<Gap> gaps = new ArrayList<>();
        try {
            for (int i = 0; i < CANDIDATES; i++) {
                writers.add(start(uri, name, heardAt));
            }
            while (leaders.size() < plan.elections()) {
                take();
            }
            for (int i = 0; i < kills; i++) {
                SystemTimeline.sleep(SETTLES);
                drain();
                Process leader = whoLeadsMost();
                gaps.add(gap(leader));
                leader.destroyForcibly();
                writers.add(start(uri, name, heardAt));
            }
        } finally {
            writers.forEach(Process::destroyForcibly);
            said.clear();
            leaders.clear();
        }
        return gaps;
    }

    private Gap gap(Process leader) throws Exception {
        Map<Integer, Long> before = new HashMap<>();
        leaders.forEach((election, one) -> {
            if (one.by() == leader) {
                before.put(election, one.token());
            }
        });
        long ended = time.nanos();
        boolean inTransaction = end(leader);
        long last = ended;
        Set<Integer> missing = new HashSet<>(before.keySet());
        while (!missing.isEmpty()) {
            Said next = take();
            if (next.token() > before.getOrDefault(next.election(), Long.MAX_VALUE)
                    && missing.remove(next.election())) {
                last = next.atNanos();
            }
        }
        if (plan.stops()) {
            signal(leader, "CONT");
            SystemTimeline.sleep(SETTLES);
        }
        return new Gap((last - ended) / NANOS_PER_MILLI, inTransaction);
    }

    /** Tells whether it left a transaction open. */
    private boolean end(Process leader) throws IOException, InterruptedException, SQLException {
        if (!plan.stops()) {
            leader.destroyForcibly();
            return false;
        }
        signal(leader, "STOP");
        SystemTimeline.sleep(SEEN);
        return !postgres.psql("select 1 from pg_stat_activity where state like 'idle in transaction%'"
                        + " and now() - state_change > interval '10 ms'")
                .isBlank();
    }

    private static void signal(Process process, String signal) throws IOException, InterruptedException {
        int code = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
        if (code != 0) {
            throw new IllegalStateException("kill -" + signal + " of a writer ended with " + code);
        }
    }

    private Process whoLeadsMost() {
        Map<Process, Integer> led = new HashMap<>();
        leaders.values().forEach(one -> led.merge(one.by(), 1, Integer::sum));
        return led.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .orElseThrow()
                .getKey();
    }

    /** Somebody may have taken over meanwhile. */
    private void drain() {
        for (Said next = said.poll(); next != null; next = said.poll()) {
            note(next);
            System.err.println("election " + next.election() + " has a term " + next.token() + " without a kill");
        }
    }

    private Said take() throws InterruptedException {
        Said next = said.poll(1, TimeUnit.MINUTES);
        if (next == null) {
            throw new IllegalStateException("nobody wrote for a minute; see " + errors());
        }
        note(next);
        return next;
    }

    private void note(Said next) {
        leaders.merge(next.election(), next, (one, other) -> one.token() > other.token() ? one : other);
    }

    private Path errors() {
        return folder.resolve("writer.err");
    }

    private Process start(String uri, String name, String heardAt) throws IOException {
        Process process = JavaChild.start(
                errors().toFile(),
                HeardWriter.class.getName(),
                List.of(
                        "w" + ++started,
                        name,
                        Integer.toString(plan.elections()),
                        Long.toString(LEASE_MILLIS),
                        heardAt));
        try (OutputStream in = process.getOutputStream()) {
            in.write((uri + "\n" + postgres.jdbcUrl() + "\n").getBytes(StandardCharsets.UTF_8));
        }
        BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String line = out.readLine();
        while (line != null && !line.equals("stands")) {
            heard(process, line);
            line = out.readLine();
        }
        if (line == null) {
            throw new IllegalStateException("a writer ended before it stood; see " + errors());
        }
        Thread reader = new Thread(() -> JavaChild.lines(out, next -> heard(process, next)));
        reader.setDaemon(true);
        reader.start();
        return process;
    }

    private void heard(Process by, String line) {
        String[] words = line.split(" ", -1);
        if (words[0].equals("wrote")) {
            said.add(new Said(by, Long.parseLong(words[1]), Integer.parseInt(words[2]), time.nanos()));
        }
    }
}
